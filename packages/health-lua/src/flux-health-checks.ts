import { fieldsAt, groupOf, isFields, listAt, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import { createCelEngine, type CelEngine } from "./cel-engine.ts";
import { EXPRESSION_NAMES, type CelExpressions } from "./cel-rule.ts";
import { ruleSetOf } from "./rule-set.ts";
import { createCelRule, type RulePlace, type RuleSet, type UserRule } from "./user-rule.ts";

/**
 * Reads `spec.healthCheckExprs` of a Kustomization of Flux. A rule whose expressions do not parse, or without `current`, is kept as one
 * that cannot run. Never throws.
 *
 * @see fluxcd/flux2 rfcs/0009-custom-health-checks
 */
export function parseFluxHealthChecks(kustomization: KubeObject): RuleSet {
  const metadata = fieldsAt(kustomization, "metadata");
  const owner = { namespace: textAt(metadata, "namespace"), name: textAt(metadata, "name") };
  const source = `Kustomization ${owner.namespace}/${owner.name}`;
  const exprs = listAt(fieldsAt(kustomization, "spec"), "healthCheckExprs");
  const { rules, problems } = fluxRules(exprs, (place) => ({
    source: exprs.length === 1 ? source : `${source}, number ${place + 1}`,
    owner,
  }));
  return ruleSetOf("flux", rules, problems);
}

/** Rules in a list of `healthCheckExprs`. @param placeOf where the entry with this index stands, for people, and whose it is */
export function fluxRules(
  exprs: readonly unknown[],
  placeOf: (place: number) => Pick<RulePlace, "source" | "owner">,
): Pick<RuleSet, "rules" | "problems"> {
  const rules: UserRule[] = [];
  const problems: string[] = [];
  for (const [place, entry] of exprs.entries()) {
    const [apiVersion, kind] = [textAt(entry, "apiVersion"), textAt(entry, "kind")];
    const where = placeOf(place);
    if (apiVersion === "" || kind === "") problems.push(`${where.source}: a health check needs apiVersion and kind`);
    else {
      const names = { pattern: `${groupOf(apiVersion)}/${kind}`, version: versionOf(apiVersion) };
      rules.push(createCelRule({ ...where, ...names }, expressionsOf(entry), problemOf(entry)));
    }
  }
  return { rules, problems };
}

function expressionsOf(entry: unknown): CelExpressions {
  const given = EXPRESSION_NAMES.map((name) => [name, textAt(entry, name)] as const).filter(([, text]) => text !== "");
  return { current: "", ...Object.fromEntries(given) };
}

let engine: CelEngine | undefined;

function problemOf(entry: unknown): string | undefined {
  engine ??= createCelEngine();
  if (textAt(entry, "current") === "") return "the expression current is missing";
  for (const name of EXPRESSION_NAMES) {
    const value = isFields(entry) ? entry[name] : undefined;
    if (value === undefined || value === null) continue;
    const problem = typeof value === "string" ? (value === "" ? undefined : engine.problemOf(value)) : "it is not text";
    if (problem !== undefined) return `${name} is not an expression: ${problem}`;
  }
  return undefined;
}
