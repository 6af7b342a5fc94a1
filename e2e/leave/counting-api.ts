import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** An API server that counts what reaches it. */
export interface CountingApi {
  readonly url: string;
  /** How often each path was written to. */
  readonly written: ReadonlyMap<string, number>;
  close(): void;
}

/** Where it has a list of 24 MiB. */
export const LIST_PATH = "/list";
const LIST_PIECES = 24 * 16;

function* largeList(): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  yield Buffer.from('{"kind":"List","items":[');
  for (let nr = 0; nr < LIST_PIECES; nr += 1) yield piece;
  yield Buffer.from("]}");
}

/** Starts it on a free port. Each answer takes so long that some always run. */
export async function startCountingApi(answerMs: number): Promise<CountingApi> {
  const written = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === LIST_PATH) {
      Readable.from(largeList()).pipe(response.setHeader("content-type", "application/json"));
      return;
    }
    if (request.method !== "GET") written.set(path, (written.get(path) ?? 0) + 1);
    request.resume();
    request.on("end", () =>
      setTimeout(
        () => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ kind: "Status", path })),
        answerMs,
      ),
    );
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    written,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
