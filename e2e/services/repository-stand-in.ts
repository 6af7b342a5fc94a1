import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import { CommitService, TreeEntryResponse_ObjectType } from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

const COMMIT = "c0ffee".padEnd(40, "0");
const packet = (line: string): string => (line.length + 4).toString(16).padStart(4, "0") + line;
const REFS = [
  "# service=git-upload-pack\n",
  undefined,
  `${COMMIT} HEAD\0symref=HEAD:refs/heads/main\n`,
  `${COMMIT} refs/heads/main\n`,
  undefined,
];

/** A Gitaly of one commit with a few files. @returns its address, "tcp://127.0.0.1:port", and its end */
export async function startRepositoryStandIn(
  files: ReadonlyMap<string, string>,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const adapter = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    routes(router) {
      router.service(SmartHTTPService, {
        async *infoRefsUploadPack() {
          yield { data: Buffer.from(REFS.map((line) => (line === undefined ? "0000" : packet(line))).join("")) };
        },
      });
      router.service(CommitService, {
        async *treeEntry({ path }) {
          const data = Buffer.from(files.get(Buffer.from(path).toString()) ?? "");
          if (data.length === 0) throw new ConnectError("not found: tree entry", Code.NotFound);
          yield { type: TreeEntryResponse_ObjectType.BLOB, oid: COMMIT, size: BigInt(data.length), mode: 0o100644, data };
        },
      });
    },
  });
  const server = createServer(adapter);
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    address: `tcp://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
