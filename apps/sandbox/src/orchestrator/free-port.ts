import { createServer, type Server } from "node:net";

import { Fault } from "@binnacle/rpc";

const LEAST = 20_000;
const COUNT = 12_000;

/**
 * Hands out loopback ports below the range the system takes outgoing ports from, each one only once. Those for later are held, by
 * listening there, so that no other program that looks for a free port takes them meanwhile.
 */
export class FreePorts {
  readonly #used = new Set<number>();
  readonly #held = new Map<number, Server>();

  /** A port to listen on at once. */
  async take(): Promise<number> {
    const port = await this.hold();
    await this.handOver([port]);
    return port;
  }

  /** A port that no other caller gets until it is handed over. */
  async hold(): Promise<number> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = LEAST + Math.floor(Math.random() * COUNT);
      if (this.#used.has(port)) continue;
      this.#used.add(port);
      const server = await listenOn(port);
      if (server === undefined) continue;
      this.#held.set(port, server);
      return port;
    }
    throw new Fault("internal", "no free port was found");
  }

  /** Lets go of held ports, for who is about to listen there; others are ignored. */
  async handOver(ports: Iterable<number>): Promise<void> {
    for (const port of ports) {
      const server = this.#held.get(port);
      this.#held.delete(port);
      if (server) await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Lets go of all that are still held. */
  close(): Promise<void> {
    return this.handOver(this.#held.keys());
  }
}

/** Whether one can listen on the port of 127.0.0.1 right now. */
export async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  if (server) await new Promise((resolve) => server.close(resolve));
  return server !== undefined;
}

function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
