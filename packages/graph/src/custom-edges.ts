import { textAt, type KubeObject } from "@binnacle/kube";

import type { EdgeRow } from "./edge-catalogue.ts";
import { readRule, type CustomEdgeRule, type CustomEdgeProblem } from "./custom-edge-rule.ts";
import { kindIdOf } from "./kind-id.ts";
import { compilePath, type PathReader } from "./json-path.ts";
import { keyToken, NO_DETAILS, type Reference } from "./reference.ts";

/** What was read of the rules of a user. */
export interface CustomEdgeRules {
  /** Rules that are right. */
  readonly rules: readonly CustomEdgeRule[];
  /** What is wrong with the others, in the order in which they stand. */
  readonly problems: readonly CustomEdgeProblem[];
}

/**
 * Reads user-defined edges from decoded JSON or YAML: a list of {@link CustomEdgeRule}. Rules that are wrong are refused one by
 * one, each with what is wrong and how to mend it; never throws.
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

interface CompiledRule {
  readonly rule: CustomEdgeRule;
  readonly row: EdgeRow;
  readonly read: PathReader;
  /** Namespace of the target of an object. */
  readonly namespaceOf: (object: KubeObject) => string;
}

/** User-defined edges, ready to read references. A rule that {@link parseCustomEdges} would refuse draws nothing. */
export class CustomEdges {
  readonly #byKind = new Map<string, CompiledRule[]>();

  constructor(rules: readonly CustomEdgeRule[]) {
    for (const rule of parseCustomEdges(rules).rules) {
      const compiled = compile(rule);
      if (compiled === undefined) continue;
      const kind = `${rule.from.group}/${rule.from.kind}`;
      this.#byKind.set(kind, [...(this.#byKind.get(kind) ?? []), compiled]);
    }
  }

  /** Kinds that a rule reads, as `group/kind`. */
  kinds(): Iterable<string> {
    return this.#byKind.keys();
  }

  /** What an object refers to by the rules. */
  referencesOf(object: KubeObject): Reference[] {
    if (this.#byKind.size === 0) return [];
    const rules = this.#byKind.get(kindIdOf(object)) ?? [];
    return rules.flatMap((rule) => referencesBy(rule, object));
  }
}

function compile(rule: CustomEdgeRule): CompiledRule | undefined {
  const path = compilePath(rule.path);
  if ("problem" in path) return undefined;
  const row = { kind: `custom:${rule.id}`, class: rule.class, flowReversed: rule.flowReversed === true };
  const own = (object: KubeObject): string => object.metadata.namespace ?? "";
  const { namespace = "same" } = rule.to;
  if (namespace === "same") return { rule, row, read: path.read, namespaceOf: own };
  if (namespace === "cluster") return { rule, row, read: path.read, namespaceOf: () => "" };
  const namespacePath = compilePath(namespace);
  if ("problem" in namespacePath) return undefined;
  const namespaceOf = (object: KubeObject): string => {
    const found = namespacePath.read(object).find(({ value }) => typeof value === "string" && value !== "");
    return typeof found?.value === "string" ? found.value : own(object);
  };
  return { rule, row, read: path.read, namespaceOf };
}

/** Each selected name, or object with a name, is a reference. */
function referencesBy({ rule, row, read, namespaceOf }: CompiledRule, object: KubeObject): Reference[] {
  const matches = read(object);
  if (matches.length === 0) return [];
  const usual = namespaceOf(object);
  return matches.flatMap(({ value, fieldPath }) => {
    const name = typeof value === "string" ? value : textAt(value, "name");
    if (name === "" || name.includes("/")) return [];
    const key = { group: rule.to.group, kind: rule.to.kind, namespace: textAt(value, "namespace") || usual, name };
    const optional = rule.optional === true;
    const ghost = optional ? undefined : key;
    const target = { by: "name", token: keyToken(key), bare: undefined, ghost, version: "" } as const;
    return [{ row, fieldPath, optional, target, details: NO_DETAILS }];
  });
}
