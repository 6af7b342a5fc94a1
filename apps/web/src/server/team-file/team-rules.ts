import type { HealthScript, ScopeRules } from "@binnacle/environment-view";
import { createHash } from "node:crypto";

import { compare } from "../../features/live/compare.ts";
import type { TeamFile } from "./team-file.ts";
import { TEAM_FILE_PATH } from "./team-file-schema.ts";

/** What a file says that a scope is judged, drawn and counted by. */
type TeamRulesContent = Pick<TeamFile, "edges" | "health" | "hidden" | "weights">;

/**
 * The rules of a file, named by their content: the same rules in another order of maps, with other comments or beside other environments are
 * the same, and whoever has them shares his scopes. `undefined`: there are none.
 */
export function teamRulesOf(file: TeamRulesContent): ScopeRules | undefined {
  const edges = file.edges.toSorted((a, b) => compare(a.id, b.id));
  const health = [...file.health]
    // Scripts are a map: of expressions, which are a list, the first for a kind wins.
    .toSorted((a, b) => compare(a.engine, b.engine) || (a.engine === "lua" ? compare(a.pattern, b.pattern) : 0))
    .map(({ engine, pattern, version, text, hash }): HealthScript => {
      const source = `${TEAM_FILE_PATH}, health of ${pattern.replace(/^\//, "")}`;
      return { engine, source, pattern, ...(version === undefined ? {} : { version }), text, hash };
    });
  const hidden = [...new Set(file.hidden)].toSorted(compare);
  // What is to count does so anyway.
  const ignored = [...file.weights].flatMap(([kind, weight]) => (weight === "ignore" ? kind : [])).toSorted(compare);
  if (edges.length + health.length + hidden.length + ignored.length === 0) return undefined;
  const named = health.map(({ pattern, version, hash }) => [pattern, version ?? "", hash]);
  const content = JSON.stringify([edges, named, hidden, ignored], sortedKeys);
  return { id: createHash("sha256").update(content).digest("base64url"), edges, health, hidden, ignored };
}

/** As the second argument of JSON.stringify: maps in one order. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compare(a, b)));
}
