import { createServer, type Http2Session } from "node:http2";

import { connectNodeAdapter } from "@connectrpc/connect-node";

import { gitalyServices, type GitalyOptions } from "./gitaly-services.ts";

/** A running Gitaly stand-in. */
export interface RunningGitaly {
  /** "tcp://127.0.0.1:port" */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves Gitaly's gRPC (plaintext) on a free loopback port. */
export async function startGitaly(options: GitalyOptions): Promise<RunningGitaly> {
  const server = createServer(connectNodeAdapter({ routes: gitalyServices(options), connect: false, grpcWeb: false }));
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    address: `tcp://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
