import { describe, expect, test } from "vitest";

import { createCelEngine } from "./cel-engine.ts";

const engine = createCelEngine();
const object = new Map<string, unknown>([
  ["big", "x".repeat(1_000_000)],
  ["li", Array.from({ length: 1000 }, (_, i) => BigInt(i))],
]);
const evaluate = (expression: string) => {
  engine.begin();
  return engine.evaluate(expression, object);
};
/** `v0` doubled n times by `+`. */
const doubled = (start: string, times: number, use: string): string => {
  let text = use;
  for (let i = times; i > 0; i -= 1) text = `cel.bind(v${i}, v${i - 1} + v${i - 1}, ${text})`;
  return `cel.bind(v0, ${start}, ${text})`;
};

describe("limits of an evaluation", { timeout: 60_000 }, () => {
  test.each([
    ["three loops", "li.all(a, li.all(b, li.all(c, true)))"],
    ["loops whose errors are caught", "li.exists(a, li.exists(b, li.exists(c, a.x == 1 || true && b.x == 1)))"],
    ["loops behind an error", "li.all(a, li.all(b, li.all(c, true))) || true"],
    ["a loop that maps nothing", "li.filter(a, li.filter(b, li.filter(c, false) == []) == []) == []"],
  ])("%s end at 250,000 steps", (_, expression) => {
    expect(evaluate(expression)).toEqual({ tag: "steps", message: "" });
  });

  // Native code that no watchdog can interrupt.
  test.each([
    "big.lastIndexOf(big.substring(0, 500000) + 'y') == 3",
    "big.contains('y' + big.substring(0, 500000))",
    "big.split('y' + big.substring(0, 500000)) == []",
    "int(big) == 1",
    "double(big) == 1.0",
    "duration(big + 's') == duration('1s')",
  ])("%s ends before it begins", (expression) => {
    expect(evaluate(expression)).toEqual({ tag: "steps", message: "" });
  });

  test.each(["!big.contains('yes')", "big.lastIndexOf('xx') == 999998", "int('12') + 1 == 13", "duration('1h30m') > duration('1h')"])(
    "%s is within the limits",
    (expression) => {
      expect(evaluate(expression)).toEqual({ tag: "value", value: true });
    },
  );

  // Any of these, unbounded, ends the process and not just the thread.
  test.each([
    ["join of large texts", "li.map(x, big).join('').size() == 3"],
    ["join of large texts at the root", "li.filter(x, x < 300).map(x, big).join('')"],
    ["join with a large separator", "li.map(x, 'a').join(big)"],
    ["text that doubles", doubled("big", 9, "v9.contains('y')")],
    ["text that doubles at the root", doubled("big", 9, "v9 + 'y'")],
    ["a list that doubles", doubled("li", 20, "v20.size() == 3")],
    ["bytes that double", doubled("bytes(big)", 12, "v12.size() == 3")],
    ["lists in lists", "li.map(a, li + li + li).size() == 1"],
    ["pieces of a text", "li.map(a, big.split('')).size() == 1"],
    ["decoded text", "li.map(a, bytes(big).json())"],
    ["copies in other letters", "li.map(a, big.upperAscii()).size() == 1"],
    ["a limit behind ||", "li.map(x, big).join('').size() == 3 || true"],
  ])("%s ends at 16 Mi", (_, expression) => {
    expect(evaluate(expression)).toEqual({ tag: "memory", message: "" });
  });

  test("the next evaluation has its own budget", () => {
    evaluate("li.all(a, li.all(b, li.all(c, true)))");
    expect(evaluate("li.all(a, a >= 0) && big.size() == 1000000")).toEqual({ tag: "value", value: true });
  });
});

describe("limits of an expression", () => {
  test.each([
    ["too long", `${" ".repeat(20_000)}true`, "it is longer than 16 KiB"],
    ["too deep", `${"(".repeat(200)}true${")".repeat(200)}`, "Exceeded maxDepth (100)"],
    ["too many nodes", Array.from({ length: 4000 }, () => "1").join("+"), "Exceeded maxAstNodes (5000)"],
    ["too large a list", `[${Array.from({ length: 1001 }, () => "1").join(",")}] == []`, "Exceeded max"],
    ["not closed", "status.conditions.filter(e, e.type == 'Ready'", "Expected RPAREN, got EOF"],
    ["closed twice", "true) || (true", "Unexpected character"],
    ["empty", "  ", "Unexpected token"],
  ])("%s is a problem and an error", (_, expression, problem) => {
    expect(engine.problemOf(expression)).toContain(problem);
    expect(evaluate(expression)).toMatchObject({ tag: "error", message: expect.stringContaining(problem) });
  });

  test.each(["'a'.replace('a', 'b') == 'b'", "'a'.matches('(')", "unknown(1)", "li + 1 == 2", "1 / 0 == 1"])(
    "%s is an error when it runs",
    (expression) => {
      expect(engine.problemOf(expression)).toBeUndefined();
      expect(evaluate(expression).tag).toBe("error");
    },
  );

  test("a pattern that is too large for a regular expression is an error", () => {
    expect(evaluate("('('.size() == 1 ? '(' : '').matches(li.map(x, 'a{1,1000}{1,1000}').join(''))").tag).toBe("error");
  });
});

describe("nothing of JavaScript is in reach", () => {
  test.each([
    "cel.constructor",
    "cel.constructor.constructor",
    "optional.constructor",
    "optional.none().constructor",
    "google.constructor",
    "google.protobuf.Timestamp.prototype",
    "timestamp('2026-01-01T00:00:00Z').constructor",
    "timestamp('2026-01-01T00:00:00Z').getTime",
    "duration('1s').constructor",
    "b'a'.buffer",
    "'a'.constructor",
    "li.constructor",
    "li.length",
    "li['length']",
    "{'a': 1}.constructor",
    "{'a': 1}.toString",
    "type(1).constructor",
    "type(1).name",
    "constructor",
    "globalThis",
    "process",
    "binnacleBounded",
  ])("%s gives no value", (expression) => {
    expect(["error", "missing"]).toContain(evaluate(expression).tag);
  });

  test("a literal cannot set the prototype of an object", () => {
    expect(evaluate("{'__proto__': {'polluted': true}, 'constructor': {'a': true}}.polluted").tag).not.toBe("value");
    expect("polluted" in {}).toBe(false);
  });
});
