import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** One call that kas made. */
export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** A stand-in for the main application's REST API: each test says what it answers. */
export interface MainApplicationStandIn {
  readonly url: string;
  readonly calls: RecordedCall[];
  answer: (call: RecordedCall) => { readonly status: number; readonly body?: unknown };
  close(): Promise<void>;
}

/** Starts one on a free port. It answers 404 until told otherwise. */
export async function startMainApplication(): Promise<MainApplicationStandIn> {
  const calls: RecordedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const call = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? undefined : (JSON.parse(text) as unknown),
      };
      calls.push(call);
      const { status, body } = standIn.answer(call);
      response
        .writeHead(status, body === undefined ? {} : { "content-type": "application/json" })
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  const standIn: MainApplicationStandIn = {
    url: `http://127.0.0.1:${port}`,
    calls,
    answer: () => ({ status: 404, body: {} }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
