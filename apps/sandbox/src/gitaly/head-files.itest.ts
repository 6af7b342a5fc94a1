import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createDemoRepository } from "../demo/demo-repository.ts";
import { HeadFiles } from "./head-files.ts";

const gitRoot = mkdtempSync(join(tmpdir(), "head-files-"));
afterAll(() => rmSync(gitRoot, { recursive: true, force: true }));

function commit(files: Readonly<Record<string, string>>): Promise<string> {
  return createDemoRepository({ gitRoot, fullPath: "group/app", files });
}

test("a file of the default branch is read as it is now; what is not there, in or outside a repository, is not", async () => {
  const files = new HeadFiles(gitRoot);
  const read = async (path: string, project = "group/app"): Promise<string | undefined> => (await files.read(project, path))?.toString();
  await commit({ "a.yaml": "one" });
  expect([await read("a.yaml"), await read("b.yaml"), await read("a.yaml", "group/other")]).toEqual(["one", undefined, undefined]);
  expect([await read("../../etc/passwd"), await read("a.yaml", "../..")]).toEqual([undefined, undefined]);
  await commit({ "a.yaml": "two", "b.yaml": "new" });
  expect([await read("a.yaml"), await read("b.yaml")]).toEqual(["two", "new"]);
});
