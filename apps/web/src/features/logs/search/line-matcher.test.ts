import { expect, test } from "vitest";
import { lineMatcher, MAX_SPANS, type LineMatcher, type LinePattern } from "./line-matcher.ts";

function matcher(text: string, how: Partial<LinePattern> = {}): LineMatcher {
  const made = lineMatcher({ text, isExpression: false, matchesCase: false, ...how });
  if ("problem" in made) throw new Error(made.problem);
  return made;
}

test("text is found whatever the case of its letters, or only in the case that it has", () => {
  expect(matcher("Error").spans("an ERROR, an error")).toEqual([
    { from: 3, to: 8 },
    { from: 13, to: 18 },
  ]);
  expect(matcher("Error", { matchesCase: true }).matches("an ERROR")).toBe(false);
  expect(matcher("a.c").matches("abc")).toBe(false);
  expect(matcher("").matches("anything")).toBe(false);
});

test("text after a letter that is longer in lower case is found where it stands", () => {
  expect(matcher("x").spans("İx")).toEqual([{ from: 1, to: 2 }]);
});

test("an expression is found with its groups, and an empty match marks nothing", () => {
  expect(matcher("code=(5\\d\\d)", { isExpression: true }).spans("CODE=503 code=200 code=500")).toEqual([
    { from: 0, to: 8 },
    { from: 18, to: 26 },
  ]);
  expect(matcher("x*", { isExpression: true }).spans("abc")).toEqual([]);
  expect(matcher("A", { isExpression: true, matchesCase: true }).matches("a")).toBe(false);
});

test.each(["(", "a(?=b)", "(a)\\1"])("%s is no expression of RE2, with a reason", (text) => {
  const made = lineMatcher({ text, isExpression: true, matchesCase: false });
  expect(made).toEqual({ problem: expect.stringMatching(/./) });
});

test("an expression that backtracks elsewhere takes a time that grows with the line only", () => {
  const began = performance.now();
  expect(matcher("(a+)+$", { isExpression: true }).matches(`${"a".repeat(5_000)}b`)).toBe(false);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a line with very many matches marks so many", () => {
  expect(matcher("a").spans("a".repeat(10_000))).toHaveLength(MAX_SPANS);
  expect(matcher("a", { isExpression: true }).spans("a".repeat(10_000))).toHaveLength(MAX_SPANS);
});
