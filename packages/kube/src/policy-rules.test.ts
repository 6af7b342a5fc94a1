import { expect, test } from "vitest";

import { parseRulesReview, ruleCovers } from "./policy-rules.ts";

const rule = (resources: readonly string[], verbs = ["get"], groups = [""]) => ({ verbs, groups, resources, names: [] });
const EXEC = { verb: "get", group: "", resource: "pods", subresource: "exec" };
const PODS = { verb: "get", group: "", resource: "pods" };

test.each([
  [["pods/exec"], true, false],
  [["*"], true, true],
  [["*/exec"], true, false],
  [["pods"], false, true],
  [["pods/*"], false, false],
  [["*/log", "nodes/exec"], false, false],
  [[], false, false],
])("a rule for %j covers pods/exec: %s, and pods: %s", (resources, exec, pods) => {
  expect([ruleCovers(rule(resources), EXEC), ruleCovers(rule(resources), PODS)]).toEqual([exec, pods]);
});

test.each([
  [["get"], [""], true],
  [["*"], ["*"], true],
  [["create"], [""], false],
  [["get"], ["apps"], false],
  [[], ["*"], false],
])("a rule with the verbs %j in the groups %j covers get of a pod: %s", (verbs, groups, expected) => {
  expect(ruleCovers(rule(["pods"], verbs, groups), { ...PODS, subresource: "" })).toBe(expected);
});

test("an answer has its rules, and what could not be evaluated", () => {
  const resourceRules = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["web"] }];
  const rules = [{ verbs: ["get"], groups: [""], resources: ["pods"], names: ["web"] }];
  expect(parseRulesReview({ status: { resourceRules, incomplete: false } })).toEqual({ rules, incomplete: false });
  const status = { resourceRules, incomplete: false, evaluationError: "a role is missing" };
  expect(parseRulesReview({ status })).toEqual({ rules, incomplete: false, error: "a role is missing" });
});
