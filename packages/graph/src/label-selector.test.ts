import { expect, test } from "vitest";

import { matchesSelector, parseLabelMap, parseLabelSelector } from "./label-selector.ts";

function matches(selector: unknown, labels: Record<string, string>): boolean {
  const parsed = parseLabelSelector(selector);
  return parsed !== undefined && matchesSelector(parsed, labels);
}

test("all of matchLabels and matchExpressions must hold", () => {
  const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }] };
  expect(matches(selector, { app: "web", tier: "b" })).toBe(true);
  expect(matches(selector, { app: "web", tier: "c" })).toBe(false);
  expect(matches(selector, { tier: "a" })).toBe(false);
});

test("NotIn and DoesNotExist also match labels that are not there", () => {
  expect(matches({ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["a"] }] }, {})).toBe(true);
  expect(matches({ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["a"] }] }, { tier: "a" })).toBe(false);
  expect(matches({ matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] }, {})).toBe(true);
  expect(matches({ matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] }, { tier: "a" })).toBe(false);
  expect(matches({ matchExpressions: [{ key: "tier", operator: "Exists" }] }, { tier: "a" })).toBe(true);
  expect(matches({ matchExpressions: [{ key: "tier", operator: "Exists" }] }, {})).toBe(false);
});

test("an empty LabelSelector matches everything, an empty map of a Service nothing", () => {
  expect(matches({}, {})).toBe(true);
  expect(parseLabelMap({})).toBeUndefined();
  expect(parseLabelMap(undefined)).toBeUndefined();
});

test("an operator that is not known selects nothing", () => {
  expect(parseLabelSelector({ matchExpressions: [{ key: "a", operator: "Gt", values: ["1"] }] })).toBeUndefined();
  expect(parseLabelSelector("app=web")).toBeUndefined();
});

test("names of Object.prototype are labels like any other", () => {
  expect(matches({ matchExpressions: [{ key: "constructor", operator: "DoesNotExist" }] }, {})).toBe(true);
});
