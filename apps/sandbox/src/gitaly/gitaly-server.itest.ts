import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { ObjectType, RepositorySchema } from "@binnacle/proto/gitaly";
import { BlobService } from "@binnacle/proto/gitaly-blob";
import { CommitService, TreeEntry_EntryType, TreeEntryResponse_ObjectType } from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { create, fromBinary, toBinary, type DescMethod, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, test } from "vitest";

import { runGit } from "./git-command.ts";
import { startGitaly, type RunningGitaly } from "./gitaly-server.ts";

const SECRET = "gitaly-secret";
const FILES = {
  "README.md": "read me\n",
  ".gitlab/agents/demo/config.yaml": "user_access: {}\n",
  "manifests/a/b.yaml": "b: 1\n",
  "manifests/big.yaml": "x".repeat(100_000),
};
const repository = create(RepositorySchema, { storageName: "default", relativePath: "group/app.git" });

const root = mkdtempSync(join(tmpdir(), "gitaly-"));
let gitaly: RunningGitaly;
let client: Client;
beforeAll(async () => {
  const work = join(root, "checkout");
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  await runGit(["init", "-q", "-b", "main"], { dir: work });
  await runGit(["add", "-A"], { dir: work });
  await runGit(["-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "-qm", "one"], { dir: work });
  await runGit(["clone", "-q", "--bare", work, join(root, "git", "group", "app.git")], { dir: root });
  gitaly = await startGitaly({ gitRoot: join(root, "git"), secret: SECRET });
  client = new Client(gitaly.address.replace("tcp://", ""), credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await gitaly.close();
  rmSync(root, { recursive: true, force: true });
});

function token(secret = SECRET, seconds = Math.floor(Date.now() / 1000)): string {
  return `Bearer v2.${createHmac("sha256", secret).update(String(seconds)).digest("hex")}.${seconds}`;
}

/** Every message of a server stream, by way of grpc-js; rejects with the status. */
function call<M extends DescMethod>(
  method: M,
  request: MessageInitShape<M["input"]>,
  authorization: string | undefined = token(),
): Promise<MessageShape<M["output"]>[]> {
  const metadata = new Metadata();
  if (authorization !== "") metadata.set("authorization", authorization);
  const stream = client.makeServerStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    () => Buffer.from(toBinary(method.input, create(method.input, request))),
    // fromBinary gives the shape of the schema it was given.
    (bytes: Buffer) => fromBinary(method.output, bytes) as MessageShape<M["output"]>,
    undefined,
    metadata,
  );
  return new Promise((resolve, reject) => {
    const messages: MessageShape<M["output"]>[] = [];
    stream.on("data", (message: MessageShape<M["output"]>) => messages.push(message));
    stream.on("error", (error: ServiceError) => reject(error));
    stream.on("end", () => resolve(messages));
  });
}

const revision = Buffer.from("HEAD");
const entry = (path: string, limits: { limit?: bigint; maxSize?: bigint } = {}) =>
  call(CommitService.method.treeEntry, { repository, revision, path: Buffer.from(path), ...limits });

test("the refs are advertised in pkt-lines with the service line first", async () => {
  const messages = await call(SmartHTTPService.method.infoRefsUploadPack, { repository });
  const text = Buffer.concat(messages.map((message) => message.data)).toString("utf8");
  expect(text).toMatch(/^001e# service=git-upload-pack\n0000[0-9a-f]{4}[0-9a-f]{40} HEAD\0.*symref=HEAD:refs\/heads\/main/);
  expect(text).toMatch(/[0-9a-f]{40} refs\/heads\/main\n0000$/);
});

test("a file comes with type, size and its bytes, a large one in several messages", async () => {
  const [config] = await entry(".gitlab/agents/demo/config.yaml");
  expect(config).toMatchObject({ type: TreeEntryResponse_ObjectType.BLOB, size: 16n, mode: 0o100644 });
  expect(Buffer.from(config?.data ?? []).toString("utf8")).toBe("user_access: {}\n");
  const big = await entry("manifests/big.yaml");
  expect(big.length).toBeGreaterThan(1);
  expect(Buffer.concat(big.map((message) => message.data))).toHaveLength(100_000);
});

test("limits are kept: max_size refuses, limit cuts", async () => {
  await expect(entry("manifests/big.yaml", { maxSize: 99_999n })).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
  expect(await entry("manifests/big.yaml", { maxSize: 100_000n })).not.toHaveLength(0);
  const cut = await entry("manifests/big.yaml", { limit: 10n });
  expect(cut).toHaveLength(1);
  expect(cut[0]).toMatchObject({ size: 100_000n, data: Buffer.from("x".repeat(10)) });
});

test("a directory answers type TREE, a missing path, revision or repository NOT_FOUND", async () => {
  expect((await entry("manifests"))[0]).toMatchObject({ type: TreeEntryResponse_ObjectType.TREE, mode: 0o40000 });
  await expect(entry("missing.yaml")).rejects.toMatchObject({ code: status.NOT_FOUND });
  await expect(
    call(CommitService.method.treeEntry, { repository, revision: Buffer.from("--help"), path: Buffer.from("README.md") }),
  ).rejects.toMatchObject({ code: status.NOT_FOUND });
  for (const relativePath of ["group/other.git", "../checkout/.git", ""]) {
    await expect(call(SmartHTTPService.method.infoRefsUploadPack, { repository: { ...repository, relativePath } })).rejects.toMatchObject({
      code: status.NOT_FOUND,
    });
  }
});

test("entries below a path are full paths, recursive on demand", async () => {
  const list = async (path: string, recursive: boolean) => {
    const messages = await call(CommitService.method.getTreeEntries, { repository, revision, path: Buffer.from(path), recursive });
    return messages.flatMap((message) => message.entries.map((item) => [Buffer.from(item.path).toString("utf8"), item.type]));
  };
  expect(await list(".gitlab/agents", true)).toEqual([
    [".gitlab/agents/demo", TreeEntry_EntryType.TREE],
    [".gitlab/agents/demo/config.yaml", TreeEntry_EntryType.BLOB],
  ]);
  expect((await list(".", false)).map(([path]) => path)).toEqual([".gitlab", "README.md", "manifests"]);
  expect(await list("nowhere", true)).toEqual([]);
});

test("many files come in the requested order, and a missing one has no object id", async () => {
  const paths = ["manifests/big.yaml", "missing.yaml", "manifests/a/b.yaml", "manifests"];
  const messages = await call(BlobService.method.getBlobs, {
    repository,
    revisionPaths: paths.map((path) => ({ revision: "HEAD", path: Buffer.from(path) })),
    limit: -1n,
  });
  const heads = messages.filter(({ path }) => path.length > 0);
  expect(heads.map(({ path, oid, size }) => [Buffer.from(path).toString(), oid !== "", size])).toEqual([
    ["manifests/big.yaml", true, 100_000n],
    ["missing.yaml", false, 0n],
    ["manifests/a/b.yaml", true, 5n],
    ["manifests", false, 0n],
  ]);
  expect(heads[2]).toMatchObject({ type: ObjectType.BLOB, mode: 0o100644, data: Buffer.from("b: 1\n") });
  expect(messages.reduce((bytes, { data }) => bytes + data.length, 0)).toBe(100_005);
});

test("a commit is found with its author and message, and one that is not there is absent", async () => {
  const [found] = await call(CommitService.method.findCommit, { repository, revision });
  expect(found?.commit).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{40}$/),
    subject: Buffer.from("one"),
    author: { name: Buffer.from("t"), email: Buffer.from("t@example.test") },
  });
  expect(await call(CommitService.method.findCommit, { repository, revision: Buffer.from("1".repeat(40)) })).toMatchObject([{}]);
});

test("commits between two revisions are listed newest first, up to the requested number", async () => {
  const dir = join(root, "checkout");
  const before = (await runGit(["rev-parse", "HEAD"], { dir })).toString().trim();
  for (const subject of ["two", "three"])
    await runGit(["-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "-q", "--allow-empty", "-m", subject], { dir });
  await runGit(["push", "-q", join(root, "git", "group", "app.git"), "main"], { dir });
  const list = async (limit: number) =>
    (await call(CommitService.method.listCommits, { repository, revisions: ["HEAD", `^${before}`], paginationParams: { limit } })).flatMap(
      ({ commits }) => commits.map(({ subject, author }) => [Buffer.from(subject).toString(), Buffer.from(author?.name ?? []).toString()]),
    );
  expect(await list(10)).toEqual([
    ["three", "t"],
    ["two", "t"],
  ]);
  expect(await list(1)).toEqual([["three", "t"]]);
  const unknown = call(CommitService.method.listCommits, { repository, revisions: ["HEAD", `^${"1".repeat(40)}`] });
  await expect(unknown).rejects.toMatchObject({ code: status.NOT_FOUND });
});

test("a missing, forged or old token is refused", async () => {
  const ask = (authorization: string) => call(SmartHTTPService.method.infoRefsUploadPack, { repository }, authorization);
  await expect(ask("")).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
  await expect(ask(token("other"))).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
  await expect(ask(token(SECRET, Math.floor(Date.now() / 1000) - 60))).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
});
