import { expect, test } from "vitest";

import { changedFields } from "./compare-object.ts";

test.each<readonly [what: string, values: readonly [before: unknown, after: unknown], fields: readonly string[]]>([
  ["nothing", [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }], []],
  ["a value", [{ spec: { replicas: 3 } }, { spec: { replicas: 1 } }], [".spec.replicas"]],
  ["a field that is gone, and one that came", [{ data: { a: "1" } }, { data: { b: "1" } }], [".data.a", ".data.b"]],
  [
    "an item of a list",
    [{ spec: { containers: [{ image: "a" }] } }, { spec: { containers: [{ image: "b" }] } }],
    [".spec.containers[0].image"],
  ],
  ["a list that became longer", [{ l: [1] }, { l: [1, 2] }], [".l"]],
  ["a name with a dot", [{ labels: { "a.b/c": 1 } }, { labels: { "a.b/c": 2 } }], ['.labels["a.b/c"]']],
  ["a kind of value", [{ a: [] }, { a: {} }], [".a"]],
  [
    "as many as asked for",
    [
      { a: 1, b: 1, c: 1, d: 1 },
      { a: 2, b: 2, c: 2, d: 2 },
    ],
    [".a", ".b", ".c"],
  ],
])("%s", (_, [before, after], expected) => {
  expect(changedFields(before, after, 3)).toEqual(expected);
});
