import { Presence } from "@binnacle/proto/dashboard-enums";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { messageText, tLater } from "../text/messages.ts";
import type { GraphOfView } from "./drawn-graph.ts";
import { lookOf, statusOf, type StateLook } from "../health/health-status.ts";
import type { LiveNode } from "../graph/live-node.ts";

interface Index {
  readonly version: number;
  readonly namesOf: ReadonlyMap<string, ReadonlySet<string>>;
}

const indexes = new WeakMap<GraphOfView, Index>();

/** Look of a card: what may not be seen is never coloured by a state. */
export function lookOfNode(node: LiveNode): StateLook {
  return node.presence === Presence.NOT_VISIBLE ? "locked" : lookOf(statusOf(node));
}

/** The one fact below its name. */
export function factOf(node: LiveNode): string {
  if (node.presence === Presence.MISSING) return tLater("resource/does-not-exist");
  if (node.presence === Presence.NOT_VISIBLE) return tLater("ui/not-visible");
  return messageText(node.factWords);
}

/** The reason on degraded cards, and on missing ones who refers to them. */
export function stripOf(node: LiveNode, store: GraphOfView): string {
  if (node.presence === Presence.MISSING) return tLater("resource-graph/referenced-by", { referrers: referrersOf(node.id, store) });
  const look = lookOfNode(node);
  return look === "degraded" || look === "unknown" ? (node.health?.reason ?? "") : "";
}

/**
 * Who refers to what is missing: "web", or "web and 3 more", the shortest name first. All edges are walked once per change of the graph,
 * however many missing ones ask.
 */
export function referrersOf(id: string, store: GraphOfView): string {
  const names = [...(indexOf(store).namesOf.get(id) ?? [])].sort((left, right) => left.length - right.length);
  const [first] = names;
  if (first === undefined) return tLater("resource-graph/another-resource");
  return names.length > 1 ? tLater("resource-graph/and-more", { drawnName: drawnName(first), count: names.length - 1 }) : drawnName(first);
}

function indexOf(store: GraphOfView): Index {
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
