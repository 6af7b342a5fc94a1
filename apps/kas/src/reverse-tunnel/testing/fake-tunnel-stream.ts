import { FrameReader, type GrpcStatus } from "@binnacle/grpc-wire";
import { ConnectResponseSchema, type ConnectResponse } from "@binnacle/proto/reverse-tunnel";
import { fromBinary } from "@bufbuild/protobuf";
import { expect } from "vitest";

import type { TunnelStream } from "../tunnel.ts";

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
  readonly #reader = new FrameReader(
    {},
    {
      message: (data) => this.sent.push(fromBinary(ConnectResponseSchema, data).msg),
      packed: () => expect.unreachable("kas packs nothing"),
      piece: () => undefined,
    },
  );

  writeFrame(pieces: readonly Uint8Array[]): boolean {
    this.#reader.push(Buffer.concat(pieces));
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

  cutThrough(): void {
    // Nothing comes in pieces here.
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
