import { expect, test } from "vitest";

import { ApiError } from "./api-error.ts";
import { matcherOf, parseLabelSelector, selectorText } from "./label-selector.ts";

test.each([
  ["a=1", { a: "1" }, true],
  ["a==1,b!=2", { a: "1" }, true],
  ["a==1,b!=2", { a: "1", b: "2" }, false],
  ["a in (1, 2)", { a: "2" }, true],
  ["a notin (1,2)", {}, true],
  ["a notin (1,2),b", { a: "3", b: "" }, true],
  ["!a", { a: "" }, false],
  ["a>5", { a: "6" }, true],
  ["", {}, true],
])("%s on %j is %s", (text, labels, expected) => {
  expect(parseLabelSelector(text)(labels)).toBe(expected);
});

test("text that is no selector is refused", () => {
  expect(() => parseLabelSelector("a b c")).toThrow(ApiError);
});

test("an object selector and its text select the same", () => {
  const selector = { matchLabels: { a: "1" }, matchExpressions: [{ key: "b", operator: "NotIn", values: ["2"] }] };
  for (const labels of [{ a: "1" }, { a: "1", b: "2" }, { a: "1", b: "3" }, { b: "3" }]) {
    expect(matcherOf(selector)(labels)).toBe(parseLabelSelector(selectorText(selector))(labels));
  }
});
