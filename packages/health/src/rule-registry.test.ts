import { readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { ALL_RULES } from "./all-rules.ts";

test("every file of rules/ is a rule (npm run gen)", () => {
  const files = readdirSync(new URL("rules/", import.meta.url)).filter((name) => !name.endsWith(".test.ts"));
  expect(ALL_RULES.map(([id]) => `${id}.ts`).toSorted()).toEqual(files.toSorted());
});

test("a kind has one rule, and its name is group/Kind", () => {
  const kinds = ALL_RULES.flatMap(([, rule]) => rule.kinds);
  expect(kinds.length).toBeGreaterThan(20);
  expect(kinds.toSorted()).toEqual([...new Set(kinds)].toSorted());
  expect(kinds.filter((kind) => !/^[a-z0-9.-]*\/[A-Z][A-Za-z]+$/.test(kind))).toEqual([]);
});
