import { expect, test } from "vitest";

import { folderRings } from "./folder-rings.ts";
import { SourceTree } from "./source-tree.ts";

const ringsOf = (texts: Readonly<Record<string, string>>): string[] => folderRings(new SourceTree(texts), "src");

test("imports in one direction are no ring, nor are those within a folder or of the outside", () => {
  const texts = { "src/a/x.ts": 'import "./y.ts"; import { b } from "../b/b.ts";', "src/b/b.ts": 'import { u } from "../../ui/u.ts";' };
  expect(ringsOf(texts)).toEqual([]);
});

test("a ring over a third folder is named with the files that close it", () => {
  const texts = {
    "src/a/x.ts": 'import { b } from "../b/b.ts";',
    "src/b/b.ts": 'export { c } from "../c/deep/c.ts";',
    "src/c/deep/c.ts": 'const a = import("../../a/x.ts");',
  };
  expect(ringsOf(texts)).toEqual([
    "src/a/x.ts: src/a imports b, which leads back to a",
    "src/b/b.ts: src/b imports c, which leads back to b",
    "src/c/deep/c.ts: src/c imports a, which leads back to c",
  ]);
});

test("a worker counts as an import", () => {
  const texts = {
    "src/a/x.ts": 'new Worker(new URL("../b/b.worker.ts", import.meta.url))',
    "src/b/b.worker.ts": 'import type { X } from "../a/x.ts";',
  };
  expect(ringsOf(texts)).toHaveLength(2);
});
