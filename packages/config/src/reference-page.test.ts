import { expect, test } from "vitest";
import { z } from "zod";

import { duration, referencePage, referenceRows, undescribedKeys } from "./index.ts";

const schema = z.strictObject({
  address: z.url().meta({ description: "where" }),
  group: z
    .strictObject({ age: duration.prefault("2h").meta({ description: "a | b" }), names: z.array(z.string()).default([]) })
    .optional()
    .meta({ description: "a group" }),
});

test("each key has a row with its type and the default as one writes it", () => {
  expect(referenceRows(schema)).toEqual([
    { path: "address", type: "string", fallback: "required", description: "where" },
    { path: "group", type: "group", fallback: "none", description: "a group" },
    { path: "group.age", type: "duration", fallback: '`"2h"`', description: "a | b" },
    { path: "group.names", type: "list of string", fallback: "`[]`", description: "" },
  ]);
});

test("a map of groups has a row of its own and one for each key of a group, under any name", () => {
  const inner = z.strictObject({ age: z.number().optional().meta({ description: "how old" }) });
  const maps = z.strictObject({
    people: z.record(z.string(), inner).optional().meta({ description: "by name" }),
    words: z.record(z.string(), z.enum(["a", "b"])).meta({ description: "one each" }),
  });
  expect(referenceRows(maps)).toEqual([
    { path: "people", type: "map", fallback: "none", description: "by name" },
    { path: "people.<name>.age", type: "number", fallback: "none", description: "how old" },
    { path: "words", type: "map of one of a, b", fallback: "required", description: "one each" },
  ]);
});

test("a list of groups has a row of its own and one for each key of a group", () => {
  const inner = z.strictObject({ age: z.number().meta({ description: "how old" }), name: z.string() });
  const lists = z.strictObject({ group: z.strictObject({ people: z.array(inner).default([]).meta({ description: "some" }) }) });
  expect(referenceRows(lists)).toEqual([
    { path: "group.people", type: "list", fallback: "`[]`", description: "some" },
    { path: "group.people[].age", type: "number", fallback: "required", description: "how old" },
    { path: "group.people[].name", type: "string", fallback: "required", description: "" },
  ]);
  expect(undescribedKeys(lists)).toEqual(["group.people[].name"]);
});

test("keys without a description are found", () => {
  expect(undescribedKeys(schema)).toEqual(["group.names"]);
});

test("a bar in a description does not break the table", () => {
  const lines = referencePage(schema, "Keys").split("\n");
  expect(lines[0]).toBe("# Keys");
  expect(lines.find((line) => line.includes("group.age"))).toContain("a \\| b");
});
