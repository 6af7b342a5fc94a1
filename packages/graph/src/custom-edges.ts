import type { KubeObject } from "@binnacle/kube";

import { compileRule, type CompiledRule } from "./compiled-rule.ts";
import type { CustomEdgeProblem, CustomEdgeRule } from "./custom-edge-rule.ts";
import { kindIdOf } from "./kind-id.ts";
import { readRule } from "./read-edge-rule.ts";
import type { Reference } from "./reference.ts";

/** What was read of the rules of a user. */
export interface CustomEdgeRules {
  /** Rules that are right. */
  readonly rules: readonly CustomEdgeRule[];
  /** What is wrong with the others, in the order in which they stand. */
  readonly problems: readonly CustomEdgeProblem[];
}

/**
 * Reads user-defined edges from decoded JSON or YAML: a list of {@link CustomEdgeRule}. Rules that are wrong are refused one by
 * one, each with what is wrong and how to fix it; never throws.
 */
export function parseCustomEdges(value: unknown): CustomEdgeRules {
  if (!Array.isArray(value)) return { rules: [], problems: [{ rule: "", field: "", message: "custom edges must be a list of rules" }] };
  const rules = new Map<string, CustomEdgeRule>();
  const problems: CustomEdgeProblem[] = [];
  for (const [index, each] of value.entries()) {
    const { rule, problems: found } = readRule(each, index);
    problems.push(...found);
    if (rule === undefined) continue;
    if (!rules.has(rule.id)) rules.set(rule.id, rule);
    else problems.push({ rule: rule.id, field: "id", message: `"${rule.id}" is taken by a rule before; give each rule an id of its own` });
  }
  return { rules: [...rules.values()], problems };
}

/** Rules are immutable, and many graphs have the same: each is compiled once, when its kind is seen first. */
const COMPILED = new WeakMap<CustomEdgeRule, CompiledRule | typeof WRONG>();

const WRONG = Symbol("draws nothing");

/** Edges of users and packs, ready to read references. A rule that {@link parseCustomEdges} would refuse draws nothing. */
export class CustomEdges {
  readonly #byKind = new Map<string, readonly CustomEdgeRule[]>();
  /** Of packs, for every custom kind. */
  readonly #ofAnyKind: CustomEdgeRule[] = [];
  /** Of kinds that were seen. */
  readonly #seen = new Map<string, readonly CompiledRule[]>();

  constructor(rules: readonly CustomEdgeRule[]) {
    const names = new Set<string>();
    for (const rule of rules) {
      if (rule.pack === undefined && names.has(rule.id)) continue;
      if (rule.pack === undefined) names.add(rule.id);
      const kind = `${rule.from.group}/${rule.from.kind}`;
      if (rule.pack !== undefined && kind === ANY_KIND) this.#ofAnyKind.push(rule);
      else this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), rule]);
    }
  }

  /** Whether a rule reads objects of a kind, `group/kind`. */
  reads(kind: string): boolean {
    return this.#byKind.has(kind) || (this.#ofAnyKind.length > 0 && isCustomKind(kind));
  }

  /** What an object refers to by the rules. */
  referencesOf(object: KubeObject): readonly Reference[] {
    const rules = this.#rulesOf(object);
    return rules.length === 0 ? NOTHING : rules.flatMap((rule) => rule.referencesOf(object));
  }

  /** Labels of the pods that an object makes, by the first rule that knows its template; `undefined`: none does. */
  templateLabelsOf(object: KubeObject): unknown {
    for (const { templateLabelsOf } of this.#rulesOf(object)) {
      const labels = templateLabelsOf?.(object);
      if (labels !== undefined) return labels;
    }
    return undefined;
  }

  #rulesOf(object: KubeObject): readonly CompiledRule[] {
    const kind = kindIdOf(object);
    const seen = this.#seen.get(kind);
    if (seen !== undefined) return seen;
    const rules = this.#byKind.get(kind) ?? NOTHING;
    const all = isCustomKind(kind) ? [...rules, ...this.#ofAnyKind] : rules;
    const compiled = all.length === 0 ? NOTHING : all.flatMap((rule) => compiledOf(rule) ?? []);
    this.#seen.set(kind, compiled);
    return compiled;
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

const ANY_KIND = "*/*";

/** Groups of custom resources have a dot; those that end in k8s.io are the community's, whose kinds are named one by one. */
function isCustomKind(kind: string): boolean {
  const group = kind.slice(0, kind.indexOf("/"));
  return group.includes(".") && !group.endsWith(".k8s.io");
}

function compiledOf(rule: CustomEdgeRule): CompiledRule | undefined {
  let compiled = COMPILED.get(rule);
  if (compiled === undefined) {
    // Those of packs are data of this package, which its tests read.
    const isRight = rule.pack !== undefined || readRule(rule, 0).rule !== undefined;
    compiled = (isRight ? compileRule(rule) : undefined) ?? WRONG;
    COMPILED.set(rule, compiled);
  }
  return compiled === WRONG ? undefined : compiled;
}
