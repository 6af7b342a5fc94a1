import { ALL_RULES } from "./all-rules.ts";
import { customResourceHealth } from "./generic/custom-resource.ts";
import { isCustomGroup } from "./kubernetes-groups.ts";
import type { HealthRule, KindRule } from "./verdict.ts";

/** A rule as it is called. */
export interface RegisteredRule extends Pick<KindRule, "generation"> {
  /** Name of the rule, stable: cases refer to it. */
  readonly id: string;
  readonly rule: HealthRule;
}

const RULES: ReadonlyMap<string, RegisteredRule> = new Map(
  ALL_RULES.flatMap(([id, { kinds, generation, judge }]) => kinds.map((kind) => [kind, { id, rule: judge, generation }] as const)),
);

const GENERIC: RegisteredRule = { id: "custom-resource", rule: customResourceHealth, generation: "own" };

/** The rule for a kind: its own, the generic one for custom resources, or none. */
export function ruleOf(group: string, kind: string): RegisteredRule | undefined {
  return RULES.get(`${group}/${kind}`) ?? (isCustomGroup(group) ? GENERIC : undefined);
}

/** Whether a kind has a health rule of its own; custom kinds, which share the generic one, do not, but for Argo's Workflow. */
export function hasHealthRule(group: string, kind: string): boolean {
  return RULES.has(`${group}/${kind}`);
}

/** Kinds with a rule of their own, as `group/Kind`, sorted. */
export function ruledKinds(): string[] {
  return [...RULES.keys()].sort();
}

/** Ids of all rules, sorted. */
export function ruleIds(): string[] {
  return [...new Set([...RULES.values(), GENERIC].map(({ id }) => id))].sort();
}
