import { toBinary } from "@bufbuild/protobuf";
import { ObjectsToSynchronizeResponseSchema } from "@binnacle/proto/gitops";
import { Fault } from "@binnacle/rpc";
import { settle } from "@binnacle/testing";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";

import { GitalyError } from "../testing/fake-gitaly.ts";
import { startGitopsBench, type GitopsBench } from "./testing/gitops-bench.ts";
import { readBatch } from "./testing/read-batch.ts";

const MIB = 1024 * 1024;

let bench: GitopsBench;
beforeEach(async () => {
  bench = await startGitopsBench();
});
afterEach(() => bench.stop());

test("an agent gets the manifests of the newest commit, once, and the stream ends", async () => {
  const big = "x".repeat(300_000);
  const commit = bench.repository.push({ "a.yaml": "a: 1\n", "d/b.json": "{}", "d/e/big.yml": big, "d/empty.yaml": "", "README.md": "no" });
  const batch = await readBatch(bench.stream());
  expect(batch).toMatchObject({ commit, projectId: 3n, complete: true });
  expect(Object.fromEntries(batch.files)).toEqual({ "a.yaml": "a: 1\n", "d/b.json": "{}", "d/e/big.yml": big, "d/empty.yaml": "" });
  expect(bench.clock.pending).toBe(0);
});

test("only what the globs match is read, in hidden directories nothing, and a submodule is no file", async () => {
  bench.repository.push({
    "apps/web/deploy.yaml": "1",
    "apps/web/.hidden/secret.yaml": "2",
    "apps/.web.yaml": "3",
    ".gitlab/ci.yaml": "4",
    "other/x.yaml": "5",
    "ä/ö.yaml": "6",
  });
  bench.repository.pushSubmodule("apps/module.yaml");
  expect([...(await readBatch(bench.stream({ globs: ["/apps/**/*.yaml", "ä/*"] }))).files.keys()]).toEqual([
    "apps/.web.yaml",
    "apps/web/deploy.yaml",
    "ä/ö.yaml",
  ]);
  expect([...(await readBatch(bench.stream({ globs: [".gitlab/*.yaml"] }))).files.keys()]).toEqual([]);
});

test("a commit that has nothing to match gives an empty batch, and a directory that is not there is nothing", async () => {
  const commit = bench.repository.push({ "README.md": "x" });
  expect(await readBatch(bench.stream({ globs: ["nowhere/*.yaml", "README.md/*.yaml"] }))).toEqual({
    commit,
    projectId: 3n,
    files: new Map(),
    complete: true,
  });
});

test("an empty listing is accepted while Gitaly knows the commit, and no further call is made", async () => {
  const commit = bench.repository.push({ "a.yaml": "1" });
  bench.gitaly.blind = true;
  expect(await readBatch(bench.stream())).toEqual({ commit, projectId: 3n, files: new Map(), complete: true });
  expect([bench.called("GetTreeEntries"), bench.called("FindCommit"), bench.called("GetBlobs")]).toEqual([1, 1, 0]);
});

test.each([
  ["breaks off", status.UNAVAILABLE],
  ["fails", status.INTERNAL],
])("a Gitaly that %s in the middle of a file ends the stream as unavailable, without a trailer", async (_, code) => {
  bench.repository.push({ "a.yaml": "x".repeat(300_000), "b.yaml": "b" });
  bench.gitaly.tamper = function* (pieces) {
    let count = 0;
    for (const piece of pieces) {
      if ((count += 1) === 3) throw new GitalyError(code, "broken");
      yield piece;
    }
  };
  const { seen, error } = await brokenOff();
  expect(error).toMatchObject({ reason: "gitaly_unavailable", message: "Gitaly: broken" });
  expect(seen).toEqual(["header", "object", "object"]);
});

/** Which messages came, and what ended the stream. */
async function brokenOff(): Promise<{ readonly seen: readonly string[]; readonly error: unknown }> {
  const seen: string[] = [];
  try {
    for await (const each of bench.stream()) seen.push(each.message.case ?? "");
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

test.each([
  ["leaves a file out", () => [], "b.yaml was not sent"],
  ["has lost a file", () => [{ path: Buffer.from("b.yaml"), revision: "r" }], "b.yaml is not what was listed"],
  ["sends another file", (b: object) => [{ ...b, path: Buffer.from("c.yaml") }], "b.yaml is not what was sent"],
  ["sends another version", (b: object) => [{ ...b, oid: "0".repeat(40) }], "b.yaml is not what was listed"],
  ["sends less than it announced", (b: object) => [{ ...b, size: 5n }], "b.yaml is shorter than announced"],
  ["sends more than it announced", (b: object) => [b, { data: Buffer.from("more") }], "b.yaml is longer than announced"],
  ["sends a file that was not requested", (b: object) => [b, { ...b, path: Buffer.from("z") }], "is not what was sent"],
])("a Gitaly that %s is not believed", async (_, lie, message) => {
  bench.repository.push({ "a.yaml": "a", "b.yaml": "b" });
  bench.gitaly.tamper = function* (pieces) {
    let count = 0;
    for (const piece of pieces) yield* (count += 1) === 2 ? lie(piece) : [piece];
  };
  const { seen, error } = await brokenOff();
  expect(error).toMatchObject({ reason: "gitaly_unavailable", message: expect.stringContaining(message) });
  expect(seen[0]).toBe("header");
  expect(seen).not.toContain("trailer");
});

test("globs that look at the same directory cost one look at it, and many files one call", async () => {
  bench.repository.push(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`${at}.${at % 2 === 0 ? "yaml" : "json"}`, ""])));
  const batch = await readBatch(bench.stream({ globs: ["*.yaml", "/*.json", "d/*"] }));
  expect(batch.files.size).toBe(201);
  expect([bench.called("GetTreeEntries"), bench.called("GetBlobs")]).toEqual([2, 2]);
});

test.each([
  ["100 paths and one", { globs: Array.from({ length: 101 }, (_, at) => `d${at}/*`) }, "max_number_of_paths"],
  ["no path", { globs: [] }, "at least one of paths"],
  ["no project", { projectId: "" }, "project_id"],
  ["a path outside", { globs: ["../other/*.yaml"] }, "inside the repository"],
  ["a glob that cannot be read", { globs: ["[a"] }, "has no ]"],
])("%s is the agent's mistake, and Gitaly is not called", async (_, request, message) => {
  await expect(bench.stream(request).next()).rejects.toMatchObject({
    reason: "invalid_request",
    message: expect.stringContaining(message),
  });
  expect(bench.gitaly.seen).toEqual([]);
});

test("100 paths are not too many", async () => {
  bench.repository.push({ "d7/a.yaml": "1" });
  const globs = Array.from({ length: 100 }, (_, at) => `d${at}/*`);
  expect([...(await readBatch(bench.stream({ globs }))).files.keys()]).toEqual(["d7/a.yaml"]);
});

test("each limit holds to the file and to the byte, and the one beyond it is named", async () => {
  bench.repository.push({ "a.yaml": "12345", "b.yaml": "12345", "c.yaml": "1234" });
  const limits = { maxFiles: 3, maxFileBytes: 5, maxTotalBytes: 14 };
  expect((await readBatch(bench.stream({}, {}, { limits }))).complete).toBe(true);
  const refusal = async (changes: Partial<typeof limits>) => {
    const error: unknown = await readBatch(bench.stream({}, {}, { limits: { ...limits, ...changes } })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: "manifests_refused", code: new Fault("configuration_invalid", "").code });
    return error instanceof Fault ? error.message : "";
  };
  expect(await refusal({ maxFiles: 2 })).toBe("more than 2 files match (max_number_of_files), c.yaml is one more");
  expect(await refusal({ maxFileBytes: 4 })).toBe("a.yaml has 5 bytes, more than 4 (max_manifest_file_size)");
  expect(await refusal({ maxTotalBytes: 13 })).toBe("with c.yaml there are more than 13 bytes (max_total_manifest_file_size)");
});

test("globs that cost too much are refused before anything is sent", async () => {
  bench.repository.push({ "a.yaml": "1", "b.yaml": "2" });
  const limits = { ...bench.options.limits, maxSteps: 10 };
  await expect(bench.stream({}, {}, { limits }).next()).rejects.toMatchObject({
    reason: "manifests_refused",
    message: expect.stringContaining("too long to match"),
  });
});

test("a file that two paths match, and a symbolic link, are refused before anything is sent", async () => {
  bench.repository.push({ "d/a.yaml": "1" });
  await expect(bench.stream({ globs: ["**/*.yaml", "d/*"] }).next()).rejects.toMatchObject({
    reason: "manifests_refused",
    message: 'd/a.yaml is matched by "**/*.yaml" and by "d/*"',
  });
  bench.repository.pushLink("link.yaml", "../../etc/passwd");
  await expect(bench.stream().next()).rejects.toMatchObject({ reason: "manifests_refused", message: "link.yaml is a symbolic link" });
  expect((await readBatch(bench.stream({ globs: ["d/*"] }))).complete).toBe(true);
});

/** Source, and bytes or why there are none, of each object; the other messages by their names. */
async function readRefused(limits = bench.options.limits): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const { message } of bench.stream({ takesRefusedFiles: true }, {}, { limits })) {
    if (message.case !== "object") seen.push(message.case ?? "");
    else seen.push(`${message.value.source} ${message.value.refused || message.value.data.length}`);
  }
  return seen;
}

test("security-3 A5: an agent that takes refused files gets each with its reason, and all others whole", async () => {
  bench.repository.push({ "a.yaml": "12345", "big.yaml": "x".repeat(2_500), "c.yaml": "123", "d.yaml": "1" });
  bench.repository.pushNamed(Buffer.from([0x62, 0xff, ...Buffer.from(".yaml")]), "b");
  bench.repository.pushNamed(Buffer.from([0x62, 0xfe, ...Buffer.from(".yaml")]), "b");
  bench.repository.pushLink("link.yaml", "../../etc/passwd");
  // What is not sent does not count for the total.
  const limits = { maxFiles: 7, maxFileBytes: 2_000, maxTotalBytes: 9 };
  expect(await readRefused(limits)).toEqual([
    "header",
    "b\\xfe.yaml has a name that is not UTF-8",
    "b\\xff.yaml has a name that is not UTF-8",
    "link.yaml is a symbolic link",
    "a.yaml 5",
    "big.yaml has 2500 bytes, more than 2000 (max_manifest_file_size)",
    "c.yaml 3",
    "d.yaml 1",
    "trailer",
  ]);
  const refusal = { reason: "manifests_refused" };
  await expect(readRefused({ ...limits, maxFiles: 6 })).rejects.toMatchObject(refusal);
  await expect(readRefused({ ...limits, maxTotalBytes: 8 })).rejects.toMatchObject(refusal);
});

test("of a repository of 100 MB only what matches is read, piece by piece, and a reader that stalls stops Gitaly", async () => {
  const content = `${"0123456789abcdef".repeat(64)}\n`.repeat(1_024);
  const files = Object.fromEntries(Array.from({ length: 85 }, (_, at) => [`data/${at}.bin`, `${at}${content}`]));
  const manifests = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`k8s/${at}.yaml`, `${at}${content}`]));
  bench.repository.push({ ...files, ...manifests });
  const messages = bench.stream({ globs: ["k8s/*.yaml"] });
  let bytes = 0;
  let most = 0;
  let stalled = 0;
  for await (const { message } of messages) {
    most = Math.max(most, bench.ledger.held());
    if (message.case !== "object") continue;
    bytes += message.value.data.length;
    if (stalled === 0 && bytes > 2 * MIB) {
      // What Gitaly has sent ahead lies in windows and sockets, and does not grow.
      let before = -1;
      while (before !== bench.gitaly.blobBytes) {
        before = bench.gitaly.blobBytes;
        for (let turn = 0; turn < 50; turn += 1) await settle();
      }
      stalled = bench.gitaly.blobBytes - bytes;
    }
  }
  expect(bytes).toBeGreaterThan(15 * MIB);
  expect(bench.gitaly.blobBytes).toBe(bytes);
  expect(stalled).toBeLessThan(3 * MIB);
  // One message of Gitaly's.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(129 * 1024);
});

test("the frames of an answer are what a Go agent of 14.x reads", async () => {
  const commit = bench.repository.push({ "a.yaml": "a: 1\n" });
  const frames: string[] = [];
  for await (const message of bench.stream()) {
    const bytes = toBinary(ObjectsToSynchronizeResponseSchema, message);
    frames.push(Buffer.from(bytes).toString("hex"));
  }
  const hex = (text: string): string => Buffer.from(text).toString("hex");
  // 1 header {1 commit_id, 2 project_id}, 2 object {1 source, 2 data}, 3 trailer {}.
  expect(frames).toEqual([`0a2c0a28${hex(commit)}1003`, `120f0a06${hex("a.yaml")}1205${hex("a: 1\n")}`, "1a00"]);
});
