import { createHmac } from "node:crypto";

import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TokenBucket } from "../limits/token-bucket.ts";
import type { GitalyAccess, RepositoryName } from "../main-application/agent-info.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { GitalyClient } from "./gitaly-client.ts";

const clock = new ManualClock();
const PATH = "a/config.yaml";
let repository: TestRepository;
let gitaly: FakeGitaly;
let client: GitalyClient;
beforeEach(async () => {
  repository = new TestRepository();
  gitaly = await startGitaly(repository.root);
  const rate = () => new TokenBucket(clock, { perSecond: 1_000, burst: 1_000 });
  client = new GitalyClient({ clock, globalRate: rate(), serverRate: rate });
});
afterEach(() => {
  client.close();
  gitaly.close();
  repository.remove();
});

const access = (): GitalyAccess => ({ address: gitaly.address, token: "secret", features: { "gitaly-feature-x": "true" } });
const named = (relativePath = repository.relativePath): RepositoryName => ({
  storageName: "default",
  relativePath,
  glRepository: "project-3",
  glProjectPath: "group/app",
});

test("the head is the commit of HEAD, or of the branch that is named", async () => {
  const first = repository.push({ [PATH]: "a" });
  const second = repository.push({ [PATH]: "b" }, "release");
  expect(await client.headCommit(access(), named(), "")).toBe(first);
  expect(await client.headCommit(access(), named(), "release")).toBe(second);
});

test("KS6: of an advertisement of 200,000 refs little more than the first line is read", async () => {
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
  const head = packet(`${"1".repeat(40)} HEAD\0symref=HEAD:refs/heads/main\n`);
  const refs = packet(`${"2".repeat(40)} refs/heads/topic/0000000\n`).repeat(500);
  gitaly.advertised = (function* () {
    yield { data: Buffer.from(head) };
    // 14 MB; their order does not matter to who does not read them.
    for (let at = 0; at < 400; at += 1) yield { data: Buffer.from(refs) };
  })();
  expect(await client.headCommit(access(), named(), "main")).toBe("1".repeat(40));
  expect(refs.length * 400).toBe(14_000_000);
  // Windows and buffers of both sides.
  expect(gitaly.advertisedBytes).toBeLessThan(1_000_000);
  repository.push({ [PATH]: "a" });
  gitaly.advertised = undefined;
  expect(await client.headCommit(access(), named(), "main")).toMatch(/^[0-9a-f]{40}$/);
});

test("a repository without a commit has no head, one that is not there is an error", async () => {
  expect(await client.headCommit(access(), named(), "main")).toBeUndefined();
  await expect(client.headCommit(access(), named("group/absent.git"), "")).rejects.toMatchObject({ reason: "not_found" });
});

test("a file that comes in several messages is whole", async () => {
  const content = "äöü€\n".repeat(2_000);
  const commit = repository.push({ [PATH]: content });
  expect((await client.file(access(), named(), { commit, path: PATH, maxBytes: 100_000 }))?.toString()).toBe(content);
});

test("an empty file is a file, one that is missing is none", async () => {
  const commit = repository.push({ [PATH]: "" });
  expect((await client.file(access(), named(), { commit, path: PATH, maxBytes: 10 }))?.length).toBe(0);
  expect(await client.file(access(), named(), { commit, path: "b", maxBytes: 10 })).toBeUndefined();
});

test("a file that is too large and a directory are the user's mistakes", async () => {
  const commit = repository.push({ [PATH]: "x".repeat(11) });
  await expect(client.file(access(), named(), { commit, path: PATH, maxBytes: 10 })).rejects.toMatchObject({
    reason: "configuration_invalid",
    message: `${PATH} is larger than 10 bytes`,
  });
  await expect(client.file(access(), named(), { commit, path: "a", maxBytes: 10 })).rejects.toMatchObject({
    reason: "configuration_invalid",
    message: "a is no regular file",
  });
});

test("files below a directory are listed at any depth, directories are not", async () => {
  repository.push({ [PATH]: "a", "a/b/c.yaml": "c", "d.yaml": "d" });
  expect(await client.filesBelow(access(), named(), { revision: "HEAD", path: "a" })).toEqual(["a/b/c.yaml", "a/config.yaml"]);
  expect(await client.filesBelow(access(), named(), { revision: "refs/heads/absent", path: "a" })).toEqual([]);
});

test("a call shows Gitaly's token of this second and the features", async () => {
  repository.push({ [PATH]: "a" });
  await client.headCommit(access(), named(), "");
  const seconds = String(Math.floor(clock.now() / 1_000));
  const hmac = createHmac("sha256", "secret").update(seconds).digest("hex");
  expect(gitaly.seen[0]?.get("authorization")).toEqual([`Bearer v2.${hmac}.${seconds}`]);
  expect(gitaly.seen[0]?.get("gitaly-feature-x")).toEqual(["true"]);
});

test("a Gitaly that fails, and an address of another kind, are unavailable", async () => {
  gitaly.down = true;
  await expect(client.headCommit(access(), named(), "")).rejects.toMatchObject({ reason: "gitaly_unavailable", message: "Gitaly: down" });
  await expect(client.headCommit({ ...access(), address: "http://127.0.0.1:1" }, named(), "")).rejects.toMatchObject({
    reason: "gitaly_unavailable",
  });
});
