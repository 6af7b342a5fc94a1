import { EXPRESSION_NAMES, type CelExpressions } from "./cel-rule.ts";
import { ruleSetOf } from "./rule-set.ts";
import { createCelRule, createLuaRule, ORIGINS, type RuleOrigin, type RuleSet, type UserRule } from "./user-rule.ts";

/** A rule as it travels between two programs. Its hash does not: the receiver computes it from what it runs. */
export type CarriedRule = Omit<UserRule, "hash">;

/** The rules of one origin, as another program has read them. What cannot be run is a problem of the set, as where it was read. Never throws. */
export function carriedRuleSet(origin: RuleOrigin, rules: readonly CarriedRule[]): RuleSet {
  return ruleSetOf(origin, rules.map(arrived), []);
}

/** Whether it is a word for where rules come from. */
export function isRuleOrigin(text: string): text is RuleOrigin {
  return (ORIGINS as readonly string[]).includes(text);
}

function arrived({ engine, text, problem, ...place }: CarriedRule): UserRule {
  const rule = engine === "lua" ? createLuaRule(place, text) : createCelRule(place, ...expressionsIn(text));
  return problem === undefined ? rule : { ...rule, problem };
}

function expressionsIn(text: string): [expressions: CelExpressions, problem?: string] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  const fields = new Map(Object.entries(typeof read === "object" && read !== null ? read : {}));
  const texts = EXPRESSION_NAMES.map((name) => [name, fields.get(name) ?? ""] as const);
  if (fields.size === 0 || texts.some(([, expression]) => typeof expression !== "string"))
    return [{ current: "" }, "its expressions did not arrive as they were read"];
  // Checked one line above.
  return [Object.fromEntries(texts) as unknown as CelExpressions];
}
