import type { Socket } from "node:net";

import type { Clock } from "@binnacle/rpc";

/** First bytes of every HTTP/2 client; no HTTP/1 method begins like that. */
const PREFACE = Buffer.from("PRI ");

/** Protocol of a connection. */
export type Protocol = "http2" | "http1";

/** How long a client may stay silent after it has connected. */
export interface PrefaceOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Reads the first bytes of a connection, puts them back, and reports its protocol. A client that sends nothing is disconnected. */
export function sniffProtocol(socket: Socket, options: PrefaceOptions, decide: (protocol: Protocol) => void): void {
  let seen = Buffer.alloc(0);
  const cancel = options.clock.after(options.timeoutMs, () => socket.destroy());
  const settle = (): void => {
    cancel();
    socket.off("readable", look);
    socket.off("close", settle);
  };
  const look = (): void => {
    // A socket without an encoding gives Buffers.
    const chunk = socket.read() as Buffer | null;
    if (!chunk) return;
    seen = Buffer.concat([seen, chunk]);
    const isHttp2 = seen.subarray(0, PREFACE.length).equals(PREFACE.subarray(0, seen.length));
    if (isHttp2 && seen.length < PREFACE.length) return;
    settle();
    socket.unshift(seen);
    decide(isHttp2 ? "http2" : "http1");
  };
  socket.on("error", () => undefined);
  socket.on("close", settle);
  socket.on("readable", look);
}
