import { LogLevel } from "@binnacle/proto/logs-enums";
import fc from "fast-check";
import { systemClock } from "@binnacle/rpc";
import { RE2JS } from "re2js";
import { afterAll, describe, expect, test } from "vitest";

import { ContextWindow } from "./context-window.ts";
import { nodeExpressions } from "../expressions/node-expressions.ts";
import { expressionSearch } from "../expressions/answer-request.ts";
import { checkFilterLimits, LogFilterError, openFilter, type LogFilterInit } from "./filter.ts";
import { levelOf } from "./level.ts";

const NEVER = new AbortController().signal;
const expressions = nodeExpressions(systemClock);
afterAll(() => expressions.close());

const matches = async (init: LogFilterInit, ...lines: string[]): Promise<boolean[]> =>
  Array.from(await openFilter(init, expressions).matches(lines, NEVER), (count) => count === 1);
const rangesIn = async (init: LogFilterInit, line: string, max = 10) => (await openFilter(init, expressions).ranges([line], max, NEVER))[0];

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
    [{ pattern: "^a.c$", isRegularExpression: true, levels: [LogLevel.ERROR] }, "abc", false],
    [{ pattern: "a b" }, "\u001B[31ma \u001B[1;32mb\u001B[0m", true],
    [{ pattern: "^a b$", isRegularExpression: true }, "\u001B[31ma \u001B[0mb", true],
    [{ pattern: "31m" }, "\u001B[31ma", false],
    [{ pattern: "\u001B[2K" }, "\u001B[2Kcleared", true],
    [{ levels: [LogLevel.ERROR] }, "\u001B[31mERROR\u001B[0m a", true],
  ])("%j of %j is %s", async (init, text, isMatch) => {
    expect(await matches(init, "", text)).toEqual([Object.keys(init).length === 0, isMatch]);
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
        expect(expressionSearch(expression, false).test(line)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("names the places that match", async () => {
    expect(await rangesIn({ pattern: "ab" }, "AB ab")).toEqual([
      { start: 0, end: 2 },
      { start: 3, end: 5 },
    ]);
    expect(await rangesIn({ pattern: "a", matchesCase: true }, "a".repeat(300), 200)).toHaveLength(200);
    expect(await rangesIn({ pattern: "b*", isRegularExpression: true }, "abbb b", 1)).toEqual([{ start: 1, end: 4 }]);
    expect(await rangesIn({ pattern: "a", isRegularExpression: true }, "a".repeat(300), 200)).toHaveLength(200);
    expect(await rangesIn({ pattern: "code=(5\\d\\d)", isRegularExpression: true }, "CODE=503 code=200 code=500")).toEqual([
      { start: 0, end: 8 },
      { start: 18, end: 26 },
    ]);
    expect(await rangesIn({ levels: [LogLevel.INFO] }, "[INFO]")).toEqual([]);
  });

  test("finds text without case beside a letter that is longer in lower case", async () => {
    expect(await rangesIn({ pattern: "x" }, "\u0130X")).toEqual([{ start: 1, end: 2 }]);
    expect(await matches({ pattern: "\u0130X" }, "a \u0130x")).toEqual([true]);
  });

  test.each([
    ["(?=a)b", "(?="],
    [String.raw`(a)\1`, String.raw`\1`],
    ["(a", "(a"],
    ["[a-z]{1000}".repeat(90), "too large"],
  ])("the expression %.20s is rejected with what is wrong with it", async (pattern, named) => {
    await expect(expressions.check({ pattern, matchesCase: false }, NEVER)).rejects.toThrow(LogFilterError);
    await expect(expressions.check({ pattern, matchesCase: true }, NEVER)).rejects.toThrow(named);
    await expect(matches({ pattern, isRegularExpression: true }, "a")).rejects.toThrow(named);
  });

  test("of a size that takes much memory and time is rejected", () => {
    expect(() => expressionSearch("[a-z]{1000}".repeat(90), true)).toThrow("too large");
    expect(expressionSearch("[a-z]{1000}".repeat(9), true).test("a")).toBe(false);
  });

  test.each([
    [{ pattern: "a".repeat(1001) }, "1000 characters"],
    [{ contextLines: 11 }, "0 to 10"],
    [{ contextLines: -1 }, "0 to 10"],
    [{ levels: Array.from({ length: 11 }, () => LogLevel.INFO) }, "too many levels"],
  ])("%j is rejected with the limit", (init, named) => {
    expect(() => checkFilterLimits(init)).toThrow(LogFilterError);
    expect(() => openFilter(init, expressions)).toThrow(named);
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
