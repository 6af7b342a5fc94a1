import { expect, test } from "vitest";

import { carriedRuleSet, isRuleOrigin } from "./rule-set.ts";
import { parseRulesFile } from "./rules-file.ts";

const FILE = `
healthCheckExprs:
  - { apiVersion: example.com/v1, kind: Database, current: status.ready == 1, failed: status.ready == 0 }
  - { apiVersion: example.com/v1, kind: Broken, current: "a ==" }
resourceCustomizations:
  example.com/Queue: { health.lua: return nil }
`;

test("rules that have travelled are those that were read, with the same hashes", () => {
  const { origin, rules } = parseRulesFile(FILE, "rules.yaml");
  const carried = rules.map((rule) => ({ ...rule, hash: "foreign hash" }));
  expect(carriedRuleSet(origin, carried).rules).toEqual(rules);
});

test("a hash is made of what runs, not taken from the sender", () => {
  const [honest] = carriedRuleSet("file", [{ engine: "lua", source: "a", pattern: "example.com/A", text: "return nil" }]).rules;
  const lie = { engine: "lua", source: "a", pattern: "example.com/A", text: "return {}", hash: honest?.hash } as const;
  expect(carriedRuleSet("file", [lie]).rules[0]?.hash).not.toBe(honest?.hash);
});

test.each(["", "{", "null", "[]", '{"current": 5}', '{"current": "true", "failed": {}}'])(
  "invalid expressions are a reported problem: %s",
  (text) => {
    const { rules, problems } = carriedRuleSet("flux", [{ engine: "cel", source: "Kustomization a/b", pattern: "example.com/A", text }]);
    expect(rules[0]?.problem).toBe("its expressions did not arrive as they were read");
    expect(problems).toEqual(["Kustomization a/b: its expressions did not arrive as they were read"]);
  },
);

test("only where rules come from is an origin", () => {
  expect(["file", "argocd-cm", "flux", "", "constructor"].map(isRuleOrigin)).toEqual([true, true, true, false, false]);
});
