import type { Delta, Node, Snapshot, Source } from "@binnacle/proto/dashboard";
import type { ViewState } from "./view-state.ts";

/** What snapshots and deltas say of a view beside its nodes, edges and connection. */
export type ViewFacts = Pick<ViewState, "health" | "configurationError" | "complete" | "empty" | "sources">;

/** The facts of a snapshot. */
export function factsOf({ health, configurationError, complete, empty, sources }: Snapshot): ViewFacts {
  return { health, configurationError, complete, empty, sources };
}

/** The facts after a delta. */
export function factsAfter(before: ViewFacts, delta: Delta): ViewFacts {
  const { upsertedSources, removedSources } = delta;
  return {
    health: delta.health ?? before.health,
    configurationError: delta.configurationErrorCleared ? undefined : (delta.configurationError ?? before.configurationError),
    complete: before.complete || delta.complete,
    empty: delta.empty ?? (delta.upsertedNodes.length > 0 ? undefined : before.empty),
    sources: upsertedSources.length + removedSources.length === 0 ? before.sources : sourcesAfter(before.sources, delta),
  };
}

function sourcesAfter(before: readonly Source[], { upsertedSources, removedSources }: Delta): Source[] {
  const sources = sourcesByKey(before);
  for (const key of removedSources) sources.delete(key);
  for (const source of upsertedSources) sources.set(sourceKey(source), source);
  return [...sources.values()];
}

/** Sources by `group/resource/namespace`, as the server names those that left. */
export function sourcesByKey(sources: readonly Source[]): Map<string, Source> {
  return new Map(sources.map((source) => [sourceKey(source), source]));
}

/** The sources that a node may come from: the one of its namespace and the one of the whole cluster. */
export function sourcesOf(sources: ReadonlyMap<string, Source>, { ref }: Pick<Node, "ref">): Source[] {
  if (ref === undefined) return [];
  const { group, resource, namespace } = ref;
  const keys = new Set([sourceKey({ group, resource, namespace }), sourceKey({ group, resource, namespace: "" })]);
  return [...keys].flatMap((key) => sources.get(key) ?? []);
}

function sourceKey({ group, resource, namespace }: Pick<Source, "group" | "resource" | "namespace">): string {
  return `${group}/${resource}/${namespace}`;
}
