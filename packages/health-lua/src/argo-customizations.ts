import { fieldsAt, fieldsOf, textAt, textOf, type Fields, type KubeObject } from "@binnacle/kube";
import { parse } from "yaml";

import { firstLineOf, ruleSetOf } from "./rule-set.ts";
import { createLuaRule, type RuleSet, type UserRule } from "./user-rule.ts";

const MAP_KEY = "resource.customizations";
const HEALTH_PREFIX = "resource.customizations.health.";

/**
 * Reads the health scripts of an `argocd-cm`: the keys `resource.customizations.health.<group>_<kind>` and the older map
 * `resource.customizations`. Names may have wildcards in both. A key of its own wins over the same name in the map, as in Argo CD.
 * Never throws.
 */
export function parseArgoCustomizations(configMap: KubeObject): RuleSet {
  const metadata = fieldsAt(configMap, "metadata");
  const name = textAt(metadata, "name");
  const source = `argocd-cm ${textAt(metadata, "namespace")}/${name}`;
  const { rules, problems } = argoRules(fieldsAt(configMap, "data"), (key) => `${source}, ${key}`);
  return ruleSetOf("argocd-cm", rules, problems);
}

/** Rules in the data of an `argocd-cm`. @param placeOf where a key of the data stands, for people */
export function argoRules(data: Fields, placeOf: (key: string) => string): Pick<RuleSet, "rules" | "problems"> {
  const problems: string[] = [];
  const rules = new Map<string, UserRule>();
  for (const rule of rulesOfMap(textAt(data, MAP_KEY), placeOf(MAP_KEY), problems)) rules.set(rule.pattern, rule);
  for (const [key, value] of Object.entries(data)) {
    if (!key.startsWith(HEALTH_PREFIX)) continue;
    const name = key.slice(HEALTH_PREFIX.length);
    const script = textOf(value);
    const pattern = patternOfKey(name);
    if (name !== "" && script.trim() !== "") rules.set(pattern, createLuaRule({ source: placeOf(key), pattern }, script));
  }
  return { rules: [...rules.values()], problems };
}

/** Rules of a map from names such as `cert-manager.io/Certificate` to `{ health.lua: <script> }`. @param placeOf where a name stands */
export function customizationRules(map: unknown, placeOf: (name: string) => string): readonly UserRule[] {
  return Object.entries(fieldsOf(map)).flatMap(([name, rules]) => {
    const script = textAt(rules, "health.lua");
    if (script.trim() === "") return [];
    return [createLuaRule({ source: placeOf(name), pattern: patternOfName(name) }, script)];
  });
}

function rulesOfMap(yaml: string, source: string, problems: string[]): readonly UserRule[] {
  try {
    // Looking for names that come twice takes seconds for thousands of names.
    return customizationRules(parse(yaml, { uniqueKeys: false }), (name) => `${source}, ${name}`);
  } catch (error) {
    problems.push(`${source}: this is not YAML: ${firstLineOf(error)}`);
    return [];
  }
}

// Core kinds have no group in their name. A lone "*" means everything.
function patternOfName(name: string): string {
  return name.includes("/") || name === "*" ? name : `/${name}`;
}

// Groups have no underscore and kinds neither, so the last one is the border.
function patternOfKey(key: string): string {
  const border = key.lastIndexOf("_");
  return border < 0 ? patternOfName(key) : `${key.slice(0, border)}/${key.slice(border + 1)}`;
}
