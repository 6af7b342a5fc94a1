import { expect, test } from "vitest";

import { prove } from "./prove.ts";

test.each([
  ["runs of any character that may begin anywhere", "\\s+$", ""],
  ["one word that may hold another", "not\\w*yet", "i"],
  ["a name before a word that is looked for", "\\b[\\w-]*(?:password)=", "gi"],
  ["repetitions in repetitions", "^(?:a+)+$", ""],
])("W6: %s is known to be slow", async (_, source, flags) => {
  expect(await prove({ source, flags })).toMatchObject({ kind: "slow" });
});

test.each([
  ["a word", "fail|error", "i"],
  ["runs of a word, one after the other", "[A-Z]?[a-z]+", "g"],
  ["a run from the beginning", "^\\s*x", "y"],
])("%s is known to be linear", async (_, source, flags) => {
  expect(await prove({ source, flags })).toEqual({ kind: "linear" });
});
