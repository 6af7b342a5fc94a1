import { join } from "node:path";

import { expect, test } from "vitest";

import { alternativesOf, readSourceTree, SourceTree } from "./source-tree.ts";

test("braces are every one of their words, also twice and one in another", () => {
  expect(alternativesOf("a/b.ts")).toEqual(["a/b.ts"]);
  expect(alternativesOf("a/{b,c}.ts")).toEqual(["a/b.ts", "a/c.ts"]);
  expect(alternativesOf("{a,b}/{c, d}")).toEqual(["a/c", "a/d", "b/c", "b/d"]);
  expect(alternativesOf("a/{b,{c,d}.x}")).toEqual(["a/b", "a/c.x", "a/b", "a/d.x"]);
});

test("a path is there as a file, as a folder of files, and as a pattern that something fits", () => {
  const tree = new SourceTree({ "a/b/page.md": "" }, ["a/c/x.ts"]);
  for (const path of ["a", "a/b", "a/b/", "a/b/page.md", "a/c/x.ts", "a/{b,c}", "a/*/x.ts", "a/b/<word>.md"])
    expect(tree.has(path), path).toBe(true);
  for (const path of ["b", "a/b/page", "a/b/pageXmd", "a/{b,d}", "*/x.ts", "a/<word>.md", ""]) expect(tree.has(path), path).toBe(false);
});

test("the tree of this repository has its own files, and none of its dependencies", () => {
  const tree = readSourceTree(join(import.meta.dirname, "..", ".."));
  expect(tree.has("scripts/check/source-tree.ts")).toBe(true);
  expect(tree.textOf("ARCHITECTURE.md")).toContain("# Architecture");
  expect(tree.has("node_modules")).toBe(false);
});
