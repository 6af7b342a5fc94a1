import { LogLevel } from "@binnacle/proto/logs-enums";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";

import { ContextWindow } from "./context-window.ts";
import { compileFilter, LogFilterError } from "./filter.ts";
import { levelOf } from "./level.ts";

describe("the level of a line", () => {
  test.each<readonly [string, LogLevel]>([
    ['{"time":"x","level":"warn","msg":"a"}', LogLevel.WARNING],
    ['{"severity":"ERROR","message":"level=info"}', LogLevel.ERROR],
    ['{"level":30,"msg":"pino"}', LogLevel.INFO],
    ['{"msg":"\\"level\\":\\"error\\"","lvl":"dbg"}', LogLevel.DEBUG],
    ['{"level":60}', LogLevel.ERROR],
    ['{"msg":"none"}', LogLevel.UNSPECIFIED],
    ["time=x level=error msg=a", LogLevel.ERROR],
    ['ts=1 lvl="info" msg=a', LogLevel.INFO],
    ["I0102 15:04:05.678901       1 main.go:7] started", LogLevel.INFO],
    ["E0102 15:04:05.678901       1 main.go:7] failed", LogLevel.ERROR],
    ["W0102 15:04:05.678901       1 main.go:7] slow", LogLevel.WARNING],
    ["[ERROR] web: failed", LogLevel.ERROR],
    ["2026-01-01 12:00:00 [main] [warn] slow", LogLevel.WARNING],
    ["2026-01-01 12:00:00,123 - app - WARNING - slow", LogLevel.WARNING],
    ["2026-01-01T12:00:00.123Z  INFO 1 --- [main] started", LogLevel.INFO],
    ["error: no such file", LogLevel.ERROR],
    ["web: debug cache refreshed", LogLevel.DEBUG],
    ["<b>error</b>", LogLevel.UNSPECIFIED],
    ["the mirrored terror", LogLevel.UNSPECIFIED],
    ["", LogLevel.UNSPECIFIED],
  ])("%s", (text, level) => {
    expect(levelOf(text)).toBe(level);
  });

  test("is found in any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(levelOf(text)).toBeLessThanOrEqual(LogLevel.ERROR);
      }),
    );
  });
});

describe("a filter", () => {
  test.each<readonly [object, string, boolean]>([
    [{}, "anything", true],
    [{ pattern: "Error" }, "an ERROR", true],
    [{ pattern: "Error", matchesCase: true }, "an ERROR", false],
    [{ pattern: "a.c" }, "abc", false],
    [{ pattern: "a.c", isRegularExpression: true }, "xABCx", true],
    [{ pattern: "a.c", isRegularExpression: true, matchesCase: true }, "ABC", false],
    [{ levels: [LogLevel.ERROR] }, "[ERROR] a", true],
    [{ levels: [LogLevel.ERROR], pattern: "b" }, "[ERROR] a", false],
  ])("%j of %s is %s", (init, text, matches) => {
    expect(compileFilter(init).matches(text)).toBe(matches);
  });

  test("without case matches what RE2 matches without case, also where it is searched in lower case", () => {
    const atom = fc.constantFrom(
      "a",
      "B",
      "x",
      ".",
      String.raw`\d`,
      String.raw`\w`,
      String.raw`\.`,
      "(a|B)",
      "C+",
      "d?",
      "^",
      "$",
      String.raw`\bE`,
      "[A-C]",
      "[^K]",
      String.raw`[^S\d]`,
      "[b-dX.]",
      "(?:s|K)",
    );
    const pattern = fc.array(atom, { minLength: 1, maxLength: 6 }).map((atoms) => atoms.join(""));
    const text = fc.string({ unit: fc.constantFrom(...Array.from("aAbBcCdDeExXsSkK1. \u0130\u017F\u212A")), maxLength: 20 });
    fc.assert(
      fc.property(pattern, text, (expression, line) => {
        const expected = RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE).test(line);
        expect(compileFilter({ pattern: expression, isRegularExpression: true }).matches(line)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("names the places that match", () => {
    expect(compileFilter({ pattern: "ab" }).rangesIn("AB ab", 10)).toEqual([
      { start: 0, end: 2 },
      { start: 3, end: 5 },
    ]);
    expect(compileFilter({ pattern: "b*", isRegularExpression: true }).rangesIn("abbb b", 1)).toEqual([{ start: 1, end: 4 }]);
    expect(compileFilter({ levels: [LogLevel.INFO] }).rangesIn("[INFO]", 1)).toEqual([]);
  });

  test("finds text without case beside a letter that is longer in lower case", () => {
    expect(compileFilter({ pattern: "x" }).rangesIn("\u0130X", 10)).toEqual([{ start: 1, end: 2 }]);
    expect(compileFilter({ pattern: "\u0130X" }).matches("a \u0130x")).toBe(true);
  });

  test.each([
    [{ pattern: "(?=a)b", isRegularExpression: true }, "(?="],
    [{ pattern: String.raw`(a)\1`, isRegularExpression: true }, String.raw`\1`],
    [{ pattern: "(a", isRegularExpression: true }, "(a"],
    [{ pattern: "a".repeat(1001) }, "1000 characters"],
    [{ contextLines: 11 }, "0 to 10"],
  ])("%j is rejected with what is wrong with it", (init, named) => {
    expect(() => compileFilter(init)).toThrow(LogFilterError);
    expect(() => compileFilter(init)).toThrow(named);
  });

  test("with context sends every line at most once, in order, and all within reach of a match", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), fc.integer({ min: 0, max: 4 }), (matches, size) => {
        const window = new ContextWindow<{ readonly text: string }>(size);
        const sent = matches.flatMap((isMatch, n) => window.push({ text: String(n) }, isMatch).map(({ line }) => Number(line.text)));
        const wanted = matches.flatMap((_, n) => (matches.slice(Math.max(0, n - size), n + size + 1).includes(true) ? [n] : []));
        expect(sent).toEqual(wanted);
      }),
    );
  });
});
