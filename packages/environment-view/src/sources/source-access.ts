import type { KindAccessEntry } from "@binnacle/graph";

import type { ViewSource } from "../stream/view-model.ts";

/**
 * How well each kind is seen, for the graph: by the last result of the API server, however long ago. What was complete when the connection
 * broke stays complete, what was forbidden stays forbidden, and in a partial kind nothing is called missing. What is referred to only since a
 * kind was read last is not called missing either.
 *
 * @param aged that holds from the first whole picture on; until then everything was read a moment ago
 */
export function accessOf(
  sources: readonly Pick<ViewSource, "group" | "kind" | "namespace" | "settled" | "stale">[],
  aged: boolean,
): KindAccessEntry[] {
  const kinds = new Map<string, Kind>();
  for (const { group, kind, namespace, settled, stale } of sources) {
    const id = `${group}/${kind}`;
    const entry = kinds.get(id) ?? { group, kind, synced: [], look: undefined };
    kinds.set(id, entry);
    if (settled !== "live") continue;
    entry.synced.push(namespace);
    if (aged && stale !== undefined) entry.look = Math.max(entry.look ?? stale.sinceMs, stale.sinceMs);
  }
  return [...kinds.values()].map(({ group, kind, synced, look }) => {
    if (synced.length === 0) return { group, kind, access: "not-visible" };
    const age = look === undefined ? {} : { look };
    // The empty namespace is all of them, or cluster scope: both mean that the list is whole.
    if (synced.includes("")) return { group, kind, access: "synced", ...age };
    return { group, kind, access: "synced", namespaces: synced.toSorted(), ...age };
  });
}

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly synced: string[];
  /** When those with an age were read last, in milliseconds since the epoch. */
  look: number | undefined;
}
