import { createServer } from "node:net";

import { Fault } from "@binnacle/rpc";

const LEAST = 20_000;
const COUNT = 12_000;

/** Hands out loopback ports below the range the system takes outgoing ports from, each one only once. */
export class FreePorts {
  readonly #used = new Set<number>();

  async take(): Promise<number> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const port = LEAST + Math.floor(Math.random() * COUNT);
      if (this.#used.has(port)) continue;
      this.#used.add(port);
      if (await isFree(port)) return port;
    }
    throw new Fault("internal", "no free port was found");
  }
}

/** Whether one can listen on the port of 127.0.0.1 right now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
