import fc from "fast-check";
import { JSONPathEnvironment, type JSONValue } from "json-p3";
import { expect, test } from "vitest";

import { compilePath } from "./json-path.ts";
import { plainStepsOf } from "./plain-path.ts";

const ENVIRONMENT = new JSONPathEnvironment();

/** What the engine finds. */
function byEngine(path: string, object: JSONValue): unknown[] {
  return [...ENVIRONMENT.compile(path).query(object)].map(({ value, location }) => {
    const fieldPath = location.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
    return { value, fieldPath: fieldPath.startsWith(".") ? fieldPath.slice(1) : fieldPath };
  });
}

function read(path: string, object: unknown): readonly unknown[] {
  const compiled = compilePath(path);
  return "read" in compiled ? compiled.read(object) : [compiled.problem];
}

const leaf = fc.constantFrom<JSONValue>("a", "b", "", 0, 1, true, false, null);
const { value } = fc.letrec<{ value: JSONValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "toString"), tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom("a", "b"), value, { maxKeys: 2 });
const name = fc.constantFrom(".a", ".b", ".toString");
const filter = fc
  .tuple(fc.array(name, { maxLength: 2 }), fc.constantFrom("==", "!="), fc.constantFrom("'a'", "''", "0", "1.0", "true", "false", "null"))
  .map(([names, operator, literal]) => `[?@${names.join("")} ${operator} ${literal}]`);
const step = fc.oneof(name, filter, fc.constantFrom("[*]", ".*", "[0]", "[1]", "[-1]", "[-3]"));
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `$${steps.join("")}`);

test("a path that is walked without the engine finds what the engine finds, in its order", () => {
  fc.assert(
    fc.property(path, object, (text, given) => {
      expect(plainStepsOf(ENVIRONMENT.compile(text))).toBeDefined();
      expect(read(text, given)).toEqual(byEngine(text, given));
    }),
    { numRuns: 500 },
  );
});

test.each([
  "$.a..b",
  "$.a[0:2]",
  "$.a[?@.b]",
  "$.a[?@.b > 1]",
  "$.a[?@.b == @.a]",
  "$.a[?length(@) == 1]",
  "$.a[?@[0] == 1]",
  "$.a[?!(@.b == 1)]",
])("%s is left to the engine", (text) => {
  expect(plainStepsOf(ENVIRONMENT.compile(text))).toBeUndefined();
  const given = { a: [{ b: 1 }, { b: 2, a: 2 }, [1], {}] };
  expect(read(text, given)).toEqual(byEngine(text, given));
});

test.each([
  ["$.a[?@ != 'mesh']", { a: ["mesh", "b", 1] }, ["a[1]", "a[2]"]],
  ["$.a[?@.kind == 'X'].name", { a: [{ kind: "X", name: "n" }, { name: "m" }] }, ["a[0].name"]],
  ["$.a[?@.kind != 'X'].name", { a: [{ kind: "X", name: "n" }, { name: "m" }] }, ["a[1].name"]],
  ["$.a[-1]", { a: ["x", "y"] }, ["a[1]"]],
])("%s leads to places by their own paths", (text, given, expected) => {
  expect(read(text, given).map((match) => Object(match).fieldPath)).toEqual(expected);
});
