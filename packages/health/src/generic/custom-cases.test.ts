import { readdirSync, readFileSync } from "node:fs";

import type { Fields } from "@binnacle/kube";
import { expect, test } from "vitest";

import { knowledgeOf, ruleInputOf } from "../rule-input.ts";
import { customResourceHealth } from "./custom-resource.ts";

const CASES = new URL("../../fixtures/custom-cases/", import.meta.url);

interface CustomCase {
  readonly expectedStatus: string | null;
  /** Where another way leads to the same status. */
  readonly expectedReason?: string;
  readonly why: string;
  readonly context: object;
  readonly resource: Fields;
}

/** One file each: adding a case is adding a file. Each has a planted fault (faults/custom-resources.json) that it alone finds. */
const cases = readdirSync(CASES).map((file) => {
  // The files are ours and have this shape; a wrong one fails below.
  const content = JSON.parse(readFileSync(new URL(file, CASES), "utf8")) as CustomCase;
  return { name: file.replace(".json", ""), ...content };
});

test.each(cases)("$name", ({ resource, context, expectedStatus, expectedReason }) => {
  const verdict = customResourceHealth(ruleInputOf(resource, knowledgeOf(context)));
  expect(verdict?.status ?? null).toBe(expectedStatus);
  expect(verdict?.reason).toBe(expectedReason ?? verdict?.reason);
});
