import { Presence } from "@binnacle/proto/dashboard-enums";
import { drawnName } from "../../../ui/drawn-name.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import { sayLater } from "../../../ui/said.ts";

type Graph = Pick<EnvironmentStore, "nodes" | "edges" | "node" | "graphVersion">;

interface Index {
  readonly version: number;
  readonly namesOf: ReadonlyMap<string, ReadonlySet<string>>;
}

const indexes = new WeakMap<Graph, Index>();

/**
 * Who refers to what is missing: "web", or "web and 3 more", the shortest name first. All edges are walked once per change of the graph,
 * however many missing ones ask.
 */
export function referrersOf(id: string, store: Graph): string {
  const names = [...(indexOf(store).namesOf.get(id) ?? [])].sort((left, right) => left.length - right.length);
  const [first] = names;
  if (first === undefined) return sayLater("resource-graph/another-resource");
  return names.length > 1
    ? sayLater("resource-graph/and-more", { drawnName: drawnName(first), count: names.length - 1 })
    : drawnName(first);
}

function indexOf(store: Graph): Index {
  const version = store.graphVersion();
  const known = indexes.get(store);
  if (known?.version === version) return known;
  const namesOf = new Map<string, Set<string>>();
  for (const edge of store.edges.values()) {
    if (store.node(edge.to)?.presence !== Presence.MISSING) continue;
    const name = store.node(edge.from)?.ref?.name;
    if (name === undefined) continue;
    const names = namesOf.get(edge.to) ?? new Set();
    namesOf.set(edge.to, names.add(name));
  }
  const index = { version, namesOf };
  indexes.set(store, index);
  return index;
}
