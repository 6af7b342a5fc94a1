import { FrameReader, type GrpcStatus } from "@binnacle/grpc-wire";
import { ConnectResponseSchema, type ConnectResponse } from "@binnacle/proto/reverse-tunnel";
import { fromBinary } from "@bufbuild/protobuf";

import type { TunnelStream } from "../reverse-tunnel/tunnel.ts";

/** The stream under a tunnel, without a socket: remembers what kas did to it. */
export class FakeTunnelStream implements TunnelStream {
  readonly sent: ConnectResponse["msg"][] = [];
  readonly ends: GrpcStatus[] = [];
  ended = false;
  resets = 0;
  paused = false;
  /** What `writeFrame` answers. */
  room = true;
  drained: () => void = () => undefined;
  readonly #reader = new FrameReader();

  writeFrame(pieces: readonly Uint8Array[]): boolean {
    for (const message of this.#reader.push(Buffer.concat(pieces))) this.sent.push(fromBinary(ConnectResponseSchema, message).msg);
    return this.room;
  }

  onDrain(resume: () => void): void {
    this.drained = resume;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  end(status: GrpcStatus): void {
    this.ends.push(status);
  }

  reset(): void {
    this.resets += 1;
  }
}
