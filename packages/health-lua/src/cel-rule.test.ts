import { describe, expect, test } from "vitest";

import { createCelEngine } from "./cel-engine.ts";
import { evaluateCelRule, type CelExpressions } from "./cel-rule.ts";

const engine = createCelEngine();
const evaluate = (expressions: Partial<CelExpressions>, object: object) =>
  evaluateCelRule(engine, { current: "true", ...expressions }, JSON.stringify({ metadata: { name: "one", generation: 3 }, ...object }));

/** The health check for cert-manager in Flux's RFC-0009. */
const CERTIFICATE = {
  inProgress:
    "status.conditions.filter(e, e.type == 'Issuing').exists(e, e.observedGeneration == metadata.generation && e.status == 'True')",
  failed: "status.conditions.filter(e, e.type == 'Ready').all(e, e.observedGeneration == metadata.generation && e.status == 'False')",
  current: "status.conditions.filter(e, e.type == 'Ready').all(e, e.observedGeneration == metadata.generation && e.status == 'True')",
};
const condition = (type: string, status: string, observedGeneration = 3) => ({ type, status, observedGeneration });

describe("the order of Flux", () => {
  test.each([
    ["inProgress before failed", [condition("Issuing", "True"), condition("Ready", "False")], "Progressing"],
    ["failed before current", [condition("Ready", "False")], "Degraded"],
    ["current", [condition("Ready", "True")], "Healthy"],
    ["none of them", [condition("Ready", "Unknown")], "Progressing"],
    ["a condition of an older generation", [condition("Ready", "True", 2)], "Progressing"],
  ])("%s decides", (_, conditions, status) => {
    expect(evaluate(CERTIFICATE, { status: { conditions } })).toMatchObject({ tag: "ok", status });
  });

  test.each([
    [2, "Progressing"],
    [4, "Progressing"],
    [3, "Healthy"],
  ])("observedGeneration %i of generation 3 is %s before anything is evaluated", (observedGeneration, status) => {
    expect(evaluate({ failed: observedGeneration === 3 ? "false" : "true" }, { status: { observedGeneration } })).toMatchObject({ status });
  });

  test("an observedGeneration that is no whole number is an error, as in Flux", () => {
    expect(evaluate({}, { status: { observedGeneration: "3" } })).toMatchObject({ tag: "error" });
  });

  test("an error ends the evaluation, also when a later expression is true", () => {
    expect(evaluate({ inProgress: "status.a.b" }, { status: {} })).toEqual({
      tag: "missing",
      status: "",
      message: "inProgress: No such key: a",
    });
    expect(evaluate({ failed: "spec.x == 1" }, {})).toMatchObject({ tag: "missing", message: "failed: Unknown variable: spec" });
  });

  test.each(["1", "'true'", "null", "status", "[true]"])("the expression %s gives neither true nor false", (current) => {
    expect(evaluate({ current }, { status: {} })).toMatchObject({ tag: "error", message: "current: it gives neither true nor false" });
  });
});

describe("ours", () => {
  test("suspended decides before the generation does", () => {
    const object = { spec: { suspend: true }, status: { observedGeneration: 1 } };
    expect(evaluate({ suspended: "has(spec.suspend) && spec.suspend" }, object)).toMatchObject({ status: "Suspended" });
    expect(evaluate({ suspended: "has(spec.suspend) && spec.suspend" }, { spec: {} })).toMatchObject({ status: "Healthy" });
  });

  test("the message is an expression that gives text", () => {
    const object = { status: { ready: 2 }, spec: { members: 3 } };
    const message = "string(status.ready) + ' of ' + string(spec.members) + ' members'";
    expect(evaluate({ message }, object)).toEqual({ tag: "ok", status: "Healthy", message: "2 of 3 members" });
  });

  test.each([
    ["status.none", "The health expression current is true (its message failed: No such key: none)"],
    ["5", "The health expression current is true"],
    ["''", "The health expression current is true"],
  ])("the message %s does not hide the verdict", (message, shown) => {
    expect(evaluate({ message }, { status: {} })).toEqual({ tag: "ok", status: "Healthy", message: shown });
  });
});

describe("the object in CEL", () => {
  const object = {
    status: { n: 2, f: 2.5, big: 1e21, s: "a", nothing: null, list: [{ t: "x" }], constructor: { name: "y" }, ["__proto__"]: 1 },
    constructor: "field",
    extra: { a: 1 },
  };
  test.each([
    "status.n == 2 && status.n + 1 == 3 && type(status.n) == int",
    "status.n < status.f && status.f == 2.5 && status.big > 1.0",
    "status.nothing == null && has(status.nothing)",
    "status.list[0].t == 'x' && size(status.list) == 1",
    "status.constructor.name == 'y' && constructor == 'field'",
    "!has(status.toString) && !has(extra.hasOwnProperty) && 'a' in extra",
    "extra == {'a': 1} && extra.exists(k, k == 'a')",
    "status.?conditions.orValue([]).all(e, false)",
    "!status.?a.?b.hasValue()",
    "true || status.missing.field",
    "cel.bind(n, status.n, n * n == 4)",
    "timestamp('2026-01-01T00:00:00Z') < timestamp('2026-01-02T00:00:00Z') && duration('90s') > duration('1m')",
    "'Ready-1'.matches('^Ready-[0-9]+$') // a comment at the end",
  ])("%s holds", (current) => {
    expect(evaluate({ current }, object)).toMatchObject({ tag: "ok", status: "Healthy" });
  });

  test("names of JavaScript are no variables", () => {
    for (const current of ["toString == ''", "hasOwnProperty == ''"])
      expect(evaluate({ current }, object)).toMatchObject({ tag: "missing" });
  });

  test.each(["not json", "5", "[]", "null"])("the resource %s is an error", (json) => {
    expect(evaluateCelRule(engine, { current: "true" }, json).tag).toBe("error");
  });
});
