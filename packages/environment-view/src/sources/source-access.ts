import type { KindAccessEntry } from "@binnacle/graph";

import type { ViewSource } from "../view-model.ts";

/**
 * How well each kind is seen, for the graph. Stale data was complete when it was read: what is missing there is missing,
 * until the next word.
 */
export function accessOf(sources: readonly Pick<ViewSource, "group" | "kind" | "namespace" | "state">[]): KindAccessEntry[] {
  const kinds = new Map<string, { group: string; kind: string; synced: string[] }>();
  for (const { group, kind, namespace, state } of sources) {
    const id = `${group}/${kind}`;
    const entry = kinds.get(id) ?? { group, kind, synced: [] };
    kinds.set(id, entry);
    if (state === "live" || state === "stale") entry.synced.push(namespace);
  }
  return [...kinds.values()].map(({ group, kind, synced }) => {
    if (synced.length === 0) return { group, kind, access: "not-visible" };
    // The empty namespace is all of them, or cluster scope: both mean that the list is whole.
    return synced.includes("") ? { group, kind, access: "synced" } : { group, kind, access: "synced", namespaces: synced.toSorted() };
  });
}
