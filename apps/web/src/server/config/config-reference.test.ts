import { readFileSync } from "node:fs";

import { undescribedKeys } from "@binnacle/config";
import { expect, test } from "vitest";

import { webReferenceFile, webReferencePage } from "./config-reference.ts";
import { webConfigSchema } from "./config.ts";

test("the reference that is committed says what the schema says (npm run reference writes it)", () => {
  expect(readFileSync(webReferenceFile, "utf8")).toBe(webReferencePage());
});

test("every key is described", () => {
  expect(undescribedKeys(webConfigSchema)).toEqual([]);
});
