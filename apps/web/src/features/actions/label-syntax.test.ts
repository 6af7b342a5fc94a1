import { expect, test } from "vitest";

import { entryProblem } from "./label-syntax.ts";

test.each([
  ["a", ""],
  ["app.kubernetes.io/name", "web"],
  ["A_b.c-1", "v1.2_3-x"],
  ["x".repeat(63), "y".repeat(63)],
  [`${"p".repeat(253)}/n`, "0"],
])("%s=%s is a label", (key, value) => {
  expect(entryProblem({ annotation: false, key, value })).toBeUndefined();
});

test.each([
  "",
  "/name",
  "example.com/",
  "a/b/c",
  "-a",
  "a-",
  "ä",
  "a b",
  "Example.com/a",
  "a..b/c",
  "x".repeat(64),
  `${"p".repeat(254)}/n`,
])("%j is no key of a label", (key) => {
  expect(entryProblem({ annotation: false, key, value: "x" })).toBe("action/label-key");
});

test.each(["-", "a b", "a/b", "x".repeat(64), "ends-"])("%j is no value of a label, but of an annotation", (value) => {
  expect(entryProblem({ annotation: false, key: "a", value })).toBe("action/label-value");
  expect(entryProblem({ annotation: true, key: "Example.com/a", value })).toBeUndefined();
});
