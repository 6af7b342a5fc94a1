import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { workspaceFolders } from "../git/workspace-folders.ts";
import { chooseSubjects } from "./changed-subjects.ts";
import { faultSubjects } from "./subjects.ts";

let root: string;

const SOURCES = [
  { name: "health", folders: ["packages/health", "packages/kube"] },
  { name: "graph", folders: ["packages/graph"] },
];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "binnacle-changes-"));
});

afterEach(() => rmSync(root, { recursive: true }));

const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

function write(file: string, content = file): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

/** @returns the commit in which the file appears */
function commit(file: string): string {
  write(file);
  git("add", "-A");
  git("commit", "-q", "--no-verify", "-m", file);
  return git("rev-parse", "HEAD");
}

const choose = (faultsBase?: string): readonly string[] => chooseSubjects(root, SOURCES, faultsBase).names;

test("without history all are chosen", () => {
  expect(chooseSubjects(root, SOURCES, undefined)).toEqual({
    names: ["health", "graph"],
    because: "all: there is no history to compare with",
  });
  git("init", "-q");
  commit("packages/graph/a.ts");
  expect(choose()).toEqual(["health", "graph"]);
});

test("what differs from the parent commit is chosen, with the file that differs", () => {
  git("init", "-q");
  const parent = commit("packages/graph/a.ts");
  commit("packages/health/b.ts");
  expect(chooseSubjects(root, SOURCES, undefined)).toEqual({
    names: ["health"],
    because: `health (packages/health/b.ts): differ from the parent commit ${parent.slice(0, 12)}`,
  });
});

test("FAULTS_BASE comes before the merge base, and that before the parent commit", () => {
  git("init", "-q");
  const first = commit("README.txt");
  const second = commit("packages/graph/a.ts");
  commit("packages/health/b.ts");
  commit("docs/c.txt");
  expect(choose()).toEqual([]);
  git("update-ref", "refs/remotes/origin/main", second);
  expect(choose()).toEqual(["health"]);
  expect(choose(first)).toEqual(["health", "graph"]);
  expect(choose("")).toEqual(["health"]);
});

test("where HEAD is origin/main the parent commit is the base", () => {
  git("init", "-q");
  commit("packages/graph/a.ts");
  const head = commit("packages/health/b.ts");
  git("update-ref", "refs/remotes/origin/main", head);
  expect(choose()).toEqual(["health"]);
});

test("changes that are not committed count, and so does a file that is gone", () => {
  git("init", "-q");
  const base = commit("packages/graph/a.ts");
  write("packages/health/new.ts");
  expect(choose(base)).toEqual(["health"]);
  rmSync(join(root, "packages/graph/a.ts"));
  expect(choose(base)).toEqual(["health", "graph"]);
});

test("a change of a package that one with faults needs counts, one of a document does not", () => {
  git("init", "-q");
  const base = commit("packages/graph/a.ts");
  write("packages/graph/README.md");
  expect(chooseSubjects(root, SOURCES, base)).toEqual({
    names: [],
    because: `none: no package with planted faults, and none it needs, differs from FAULTS_BASE ${base.slice(0, 12)}`,
  });
  write("packages/kube/x.ts");
  expect(choose(base)).toEqual(["health"]);
});

test("a change of what plants the faults concerns all", () => {
  git("init", "-q");
  const base = commit("packages/graph/a.ts");
  write("scripts/faults/main.ts");
  expect(chooseSubjects(root, SOURCES, base).because).toMatch(/^all: scripts\/faults\/main\.ts differs/);
});

test("a base that is no commit chooses all, and is named", () => {
  git("init", "-q");
  commit("packages/graph/a.ts");
  expect(chooseSubjects(root, SOURCES, "0".repeat(40)).because).toBe(
    `all: FAULTS_BASE names no commit of this history (${"0".repeat(40)})`,
  );
  expect(choose("--all")).toEqual(["health", "graph"]);
});

test("our packages need those of the workspace that they run with, not those that only their tests use", () => {
  const repository = join(import.meta.dirname, "..", "..");
  expect(workspaceFolders(repository, "packages/graph")).toEqual(["packages/graph", "packages/kube"]);
  const folders = new Map(faultSubjects(repository, []).map((subject) => [subject.name, subject.folders]));
  expect(folders.get("health")).toContain("packages/words");
  expect(folders.get("environment-view")).not.toContain("packages/testing");
  expect(folders.get("leave")).toEqual(expect.arrayContaining(["e2e/leave", "apps/kas", "packages/rpc"]));
  expect(folders.get("views")).toEqual(["apps/kas/src/views"]);
});
