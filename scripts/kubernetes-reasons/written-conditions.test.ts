import { expect, test } from "vitest";

import { writtenConditions } from "./written-conditions.ts";

const WRITING = { struct: "FooCondition", setters: [{ name: "setCondition", type: 1, status: 2, reason: 3 }] };

function read(source: string, constants: Record<string, string> = {}): { written: string[]; unread: string[] } {
  const unread: string[] = [];
  const found = writtenConditions(source, WRITING, {
    constants: new Map(Object.entries(constants)),
    unread: (expression) => unread.push(expression),
  });
  return { written: found.map(({ type, reason, statuses }) => `${type} ${statuses.join()} ${reason}`), unread };
}

test("a literal names type, status and reason by constants and texts", () => {
  const source =
    'x := &v1.FooCondition{\n Type: v1.FooReady, // the type\n Status: v1.ConditionFalse,\n Message: fmt.Sprintf("a, %v {", b),\n Reason: "Broken",\n}';
  expect(read(source, { FooReady: "Ready" }).written).toEqual(["Ready False Broken"]);
});

test("what is put into the variable of a literal is a condition each, with the status before it or that of the literal", () => {
  const source = [
    "c := FooCondition{",
    ' Type: "Ready", Status: ConditionTrue,',
    "}",
    "if broken {",
    " c.Status = ConditionFalse",
    ' c.Reason = "Broken"',
    " return c",
    "}",
    'c.Reason = "Passed"',
  ].join("\n");
  expect(read(source).written).toEqual(["Ready False Broken", "Ready True Passed"]);
});

test("a call of a setter may take its reason from a variable, which is looked for in its own function", () => {
  const source = [
    "func other() {",
    ' reason = "Other"',
    "}",
    "func setCondition(foo *Foo, t string, status ConditionStatus, reason string) {}",
    "func mine() {",
    " var reason string",
    ' if up { reason = "Up" }',
    ' reason = "Up"',
    " if down {",
    '  reason = "Down"',
    " }",
    ' setCondition(foo, "Able", v1.ConditionTrue, reason, "because, %s", why)',
    "}",
  ].join("\n");
  expect(read(source).written).toEqual(["Able True Up", "Able True Down"]);
});

test("what cannot be read is reported", () => {
  expect(read('setCondition(foo, "Able", v1.ConditionTrue, given.Reason)')).toEqual({ written: [], unread: ["given.Reason"] });
});
