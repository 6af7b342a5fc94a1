import { fieldsAt, fieldsOf, textAt, textOf, type KubeObject } from "@binnacle/kube";
import { parse } from "yaml";

import { globMatches } from "./glob.ts";

const MAP_KEY = "resource.customizations";
const HEALTH_PREFIX = "resource.customizations.health.";

/** Health scripts of an `argocd-cm`. */
export interface ArgoCustomizations {
  /** The script for a kind (`group` is empty for core): exact before wildcard, the wildcard with most literal characters first. */
  lookup(group: string, kind: string): string | undefined;
  /** Sentences about parts that could not be read; the other parts count. */
  readonly problems: readonly string[];
}

/**
 * Reads the keys `resource.customizations.health.<group>_<kind>` and the older map `resource.customizations`, whose names may have
 * wildcards. A key of its own wins over the same name in the map, as in Argo CD. Never throws.
 */
export function parseArgoCustomizations(configMap: KubeObject): ArgoCustomizations {
  const data = fieldsAt(configMap, "data");
  const problems: string[] = [];
  const scripts = new Map<string, string>(scriptsOfMap(textAt(data, MAP_KEY), problems));
  for (const [key, value] of Object.entries(data)) {
    if (!key.startsWith(HEALTH_PREFIX)) continue;
    const name = key.slice(HEALTH_PREFIX.length);
    const script = textOf(value);
    if (name !== "" && script.trim() !== "") scripts.set(nameOf(name), script);
  }
  const wildcards = [...scripts].filter(([name]) => isWildcard(name)).sort(([a], [b]) => literals(b) - literals(a) || (a < b ? -1 : 1));
  return {
    lookup(group, kind) {
      const wanted = `${group}/${kind}`;
      return scripts.get(wanted) ?? wildcards.find(([pattern]) => globMatches(pattern, wanted))?.[1];
    },
    problems,
  };
}

function scriptsOfMap(yaml: string, problems: string[]): [string, string][] {
  let map: unknown;
  try {
    map = parse(yaml);
  } catch (error) {
    problems.push(`${MAP_KEY} is not YAML: ${error instanceof Error ? error.message : "unreadable"}`);
    return [];
  }
  const scripts = Object.entries(fieldsOf(map)).map(([name, rules]): [string, string] => [mapNameOf(name), textAt(rules, "health.lua")]);
  return scripts.filter(([, script]) => script.trim() !== "");
}

// Core kinds have no group in their name. A lone "*" means everything.
function mapNameOf(name: string): string {
  return name.includes("/") || name === "*" ? name : `/${name}`;
}

// Groups have no underscore and kinds neither, so the last one is the border.
function nameOf(key: string): string {
  const border = key.lastIndexOf("_");
  return border < 0 ? `/${key}` : `${key.slice(0, border)}/${key.slice(border + 1)}`;
}

function isWildcard(name: string): boolean {
  return name.includes("*") || name.includes("?");
}

function literals(pattern: string): number {
  return pattern.replaceAll(/[*?]/g, "").length;
}
