import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server of a test. */
export interface StandInServer {
  readonly port: number;
  /** Requested targets, with their methods, oldest first. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startStandInServer(answer: RequestListener): Promise<StandInServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
