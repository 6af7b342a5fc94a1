import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Bff } from "../bff.ts";

/** `fetch` straight into a BFF, over a connection of its own: its port is closed again once that has come. */
export function bffFetch(bff: Bff): typeof fetch {
  return async (input, init) => {
    const server = createServer({ keepAliveTimeout: 1 }, (request, response) => void bff.rpc(request, response));
    server.once("connection", () => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    // A TCP server that listens has an AddressInfo.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
    try {
      // A Request follows the signal it was made with weakly, through Requests that are not referenced: fetch is given that signal itself.
      return await fetch(new Request(url, request), init?.signal ? { signal: init.signal } : {});
    } catch (error) {
      server.close();
      throw error;
    }
  };
}
