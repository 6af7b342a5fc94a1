import type { Evidence } from "../evidence.ts";
import { meaningOf } from "../condition-meaning.ts";
import { isStale, notSeen, reportedBy } from "../judge-condition.ts";
import type { Opinion } from "../opinion.ts";

/** An object all of whose conditions mean ill or busy, and are False: its controller says in its own way that nothing is wrong. */
export function deniedConditions(evidence: Evidence): Opinion | null {
  const [list] = evidence.lists;
  if (list === undefined || list.path !== "") return null;
  const denied = list.conditions.every(({ type, status }) => status === "false" && DENIABLE.has(meaningOf(type)));
  const bad = list.conditions.find(({ type }) => meaningOf(type) === "bad");
  if (!denied || bad === undefined) return null;
  const stale = list.conditions.find((condition) => isStale(condition, evidence));
  return stale === undefined ? reportedBy({ condition: bad, list, evidence }, "Healthy") : notSeen({ condition: stale, list, evidence });
}

const DENIABLE: ReadonlySet<string> = new Set(["bad", "busy", "pause"]);
