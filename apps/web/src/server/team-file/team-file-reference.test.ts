import { readFileSync } from "node:fs";

import { undescribedKeys } from "@binnacle/config";
import { expect, test } from "vitest";

import { teamFileSchema } from "./team-file-schema.ts";
import { teamJsonSchema, teamReferenceFile, teamReferencePage, teamSchemaFile } from "./team-file-reference.ts";

test("the page and the JSON Schema that are committed say what the schema says (npm run reference writes them)", () => {
  expect(readFileSync(teamReferenceFile, "utf8")).toBe(teamReferencePage());
  expect(JSON.parse(readFileSync(teamSchemaFile, "utf8"))).toEqual(JSON.parse(teamJsonSchema()));
});

test("every key is described", () => {
  expect(undescribedKeys(teamFileSchema)).toEqual([]);
});
