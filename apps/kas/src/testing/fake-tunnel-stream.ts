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
  maxMessageBytes = 0;
  /** What `writeFrame` answers. */
  room = true;
  drained: () => void = () => undefined;
  readonly #reader = new FrameReader();

  writeFrame(pieces: readonly Uint8Array[]): boolean {
    for (const { data } of this.#reader.push(Buffer.concat(pieces))) this.sent.push(fromBinary(ConnectResponseSchema, data).msg);
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

  limitMessages(maxMessageBytes: number): void {
    this.maxMessageBytes = maxMessageBytes;
  }

  end(status: GrpcStatus): void {
    this.ends.push(status);
  }

  reset(): void {
    this.resets += 1;
  }
}
