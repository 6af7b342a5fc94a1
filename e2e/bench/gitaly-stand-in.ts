import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { connectNodeAdapter } from "@connectrpc/connect-node";

/** The commit that every repository is at. */
export const HEAD_COMMIT = "c0ffee".padEnd(40, "0");

/** A Gitaly of repositories in which nothing happens; it counts who asks. */
export interface GitalyStandIn {
  /** "tcp://127.0.0.1:port" */
  readonly address: string;
  /** Calls so far, and of which repositories. */
  readonly calls: () => number;
  readonly repositories: () => number;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startGitalyStandIn(): Promise<GitalyStandIn> {
  let calls = 0;
  const repositories = new Set<string>();
  const adapter = connectNodeAdapter({
    routes: (router) =>
      router.service(SmartHTTPService, {
        async *infoRefsUploadPack({ repository }) {
          repositories.add(repository?.relativePath ?? "");
          yield { data: ADVERTISEMENT };
        },
      }),
    connect: false,
    grpcWeb: false,
  });
  const server = createServer((request, response) => {
    calls += 1;
    adapter(request, response);
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    address: `tcp://127.0.0.1:${port}`,
    calls: () => calls,
    repositories: () => repositories.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

const packet = (line: string): string => (line.length + 4).toString(16).padStart(4, "0") + line;
const ADVERTISEMENT = Buffer.from(
  [
    packet("# service=git-upload-pack\n"),
    "0000",
    packet(`${HEAD_COMMIT} HEAD\0symref=HEAD:refs/heads/main\n`),
    packet(`${HEAD_COMMIT} refs/heads/main\n`),
    "0000",
  ].join(""),
);
