import { connect } from "node:http2";

import { clientSessionOptions, frameHeader } from "@binnacle/grpc-wire";

import type { StormWorld } from "./storm-world.ts";

const CONNECT = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
const CHUNK = Buffer.alloc(256 * 1024);
const LONG = 10_000_000;

/**
 * Sends so many bytes a second to the agents' port for a while: long messages that are never finished, with good tokens and made-up
 * ones, on ever new streams.
 *
 * @returns what the sockets took, in bytes
 */
export async function hostileFlood(world: StormWorld, of: { readonly bytesPerSecond: number; readonly seconds: number }): Promise<number> {
  const end = performance.now() + of.seconds * 1_000;
  const begun = performance.now();
  let sent = 0;
  let nr = 0;
  while (performance.now() < end) {
    nr += 1;
    const session = connect(world.agentUrl.replace("grpc:", "http:"), clientSessionOptions());
    session.on("error", () => undefined);
    const token = nr % 2 === 0 ? `made-up-${nr}` : `glagent-${1_000 + (nr % 50)}`;
    for (let count = 0; count < 4 && performance.now() < end; count += 1) {
      const stream = session.request(
        { ":method": "POST", ":path": CONNECT, "content-type": "application/grpc", te: "trailers", authorization: `Bearer ${token}` },
        { endStream: false },
      );
      stream.on("error", () => undefined);
      stream.resume();
      stream.write(frameHeader(LONG));
      for (let at = 0; at < 8 && !stream.destroyed; at += 1) {
        stream.write(CHUNK);
        sent += CHUNK.length;
        const dueMs = (sent / of.bytesPerSecond) * 1_000;
        const early = dueMs - (performance.now() - begun);
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      }
    }
    setTimeout(() => session.destroy(), 500);
  }
  return sent;
}
