import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createDemoRepository } from "../demo/demo-repository.ts";
import { commitFile, lastCommitOf, type CommittedFile } from "./commit-file.ts";
import { runGit } from "./git-command.ts";

const PATH = ".gitlab/binnacle.yaml";
const FILE: CommittedFile = {
  branch: "main",
  startBranch: undefined,
  path: PATH,
  content: "hidden: []\n",
  message: "Hide nothing",
  author: { name: "Mara", username: "maintainer" },
  lastCommitId: undefined,
  isNew: true,
};

let root: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "commit-file-"));
  await createDemoRepository({ gitRoot: root, fullPath: "group/app", files: { "README.md": "hello\n" } });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function show(revision: string): Promise<string> {
  return (await runGit(["show", revision], { dir: join(root, "group/app.git") })).toString("utf8");
}

test("a file is committed beside the others, and its last commit is known", async () => {
  const result = await commitFile(root, "group/app", FILE);
  expect(result).toHaveProperty("sha", await lastCommitOf(root, "group/app", PATH));
  expect(await show(`main:${PATH}`)).toBe("hidden: []\n");
  expect(await show("main:README.md")).toBe("hello\n");
});

test("a file that was changed since, or is there already, is not overwritten", async () => {
  await commitFile(root, "group/app", FILE);
  const first = await lastCommitOf(root, "group/app", PATH);
  expect(await commitFile(root, "group/app", FILE)).toEqual({ refused: "exists" });
  const update = { ...FILE, isNew: false, content: "hidden: [Pod]\n", lastCommitId: first };
  expect(await commitFile(root, "group/app", update)).toHaveProperty("sha");
  expect(await commitFile(root, "group/app", { ...update, content: "hidden: [Secret]\n" })).toEqual({ refused: "changed" });
  expect(await show(`main:${PATH}`)).toBe("hidden: [Pod]\n");
});

test("a new branch begins at another one, which stays", async () => {
  expect(await commitFile(root, "group/app", { ...FILE, branch: "proposal", startBranch: "main" })).toHaveProperty("sha");
  expect(await show(`proposal:${PATH}`)).toBe("hidden: []\n");
  expect(await lastCommitOf(root, "group/app", PATH)).toBeUndefined();
});
