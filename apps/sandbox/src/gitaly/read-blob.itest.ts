import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createDemoRepository } from "../demo/demo-repository.ts";
import { GitRepository } from "./git-repository.ts";
import { readBlob } from "./read-blob.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "read-blob-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a file is read as a commit or a branch has it, and nothing else is", async () => {
  const dir = await createDemoRepository({ gitRoot: root, fullPath: "group/app", files: { "a.yaml": "a: 1\n" } });
  const sha = (await new GitRepository(dir).commitOf("refs/heads/main", AbortSignal.timeout(10_000))) ?? "";
  const read = async (path: string, ref: string, fullPath = "group/app") =>
    (await readBlob(root, fullPath, { path, ref }))?.toString("utf8");
  expect(await read("a.yaml", sha)).toBe("a: 1\n");
  expect(await read("a.yaml", "main")).toBe("a: 1\n");
  expect(await read("b.yaml", sha)).toBeUndefined();
  expect(await read("a.yaml", "0".repeat(40))).toBeUndefined();
  expect(await read("a.yaml", "--batch")).toBeUndefined();
  expect(await read("a.yaml", sha, "group/none")).toBeUndefined();
});
