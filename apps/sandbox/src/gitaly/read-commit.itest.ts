import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { runGit } from "./git-command.ts";
import { readCommit } from "./read-commit.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "read-commit-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a commit is found by the begin of its id, and by nothing else", async () => {
  const dir = join(root, "group/app.git");
  await runGit(["init", "--bare", "--initial-branch=main", dir], { dir: root });
  const tree = (await runGit(["mktree"], { dir, env: {} })).toString("utf8").trim();
  const env = {
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.com",
  };
  const sha = (await runGit(["commit-tree", tree, "-m", "Scale web"], { dir, env })).toString("utf8").trim();
  expect(await readCommit(root, "group/app", sha.slice(0, 8))).toEqual({ sha, title: "Scale web", authorName: "Ann" });
  expect(await readCommit(root, "group/app", "--all")).toBeUndefined();
  expect(await readCommit(root, "group/app", "0".repeat(40))).toBeUndefined();
  expect(await readCommit(root, "group/none", sha)).toBeUndefined();
});
