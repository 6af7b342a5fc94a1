import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { USAGE } from "./flags.ts";
import { agentkReferenceFile, agentkReferencePage } from "./reference.ts";

test("the reference that is committed says what the usage says (npm run reference writes it)", () => {
  expect(readFileSync(agentkReferenceFile, "utf8")).toBe(agentkReferencePage());
});

test("no flag of the usage is left out", () => {
  const page = agentkReferencePage();
  expect((USAGE.match(/--[\w-]+/g) ?? []).filter((flag) => !page.includes(flag))).toEqual([]);
});
