import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { sampleLines } from "./line-sample.ts";

const root = mkdtempSync(join(tmpdir(), "binnacle-sample-"));
const code = ['import { a } from "./a.ts";', "", "/** Doc.", " * more", " */", "export function b() {", "  // why", "  return a;", "}"];
writeFileSync(join(root, "b.ts"), code.join("\n"));
writeFileSync(join(root, "long.ts"), Array.from({ length: 100 }, (_, index) => `a(${index});`).join("\n"));

test("only lines of code are chosen", () => {
  expect(sampleLines({ root, files: ["b.ts"], count: 10, seed: 1 })).toEqual(["b.ts:6-6", "b.ts:8-8"]);
});

test("the seed decides", () => {
  const sample = (seed: number): readonly string[] => sampleLines({ root, files: ["long.ts"], count: 5, seed });
  expect(sample(1)).toHaveLength(5);
  expect(sample(1)).toEqual(sample(1));
  expect(sample(1)).not.toEqual(sample(2));
});
