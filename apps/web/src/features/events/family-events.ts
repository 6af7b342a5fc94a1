import type { EnvironmentEvent, ResourceEvent } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { nodeIdOf, type LiveNode } from "../live/live-node.ts";

/** Owners are few steps away; a cluster may claim otherwise. */
const MAX_STEPS = 16;

/** What was reported of a resource and of all that it owns, also of what it owned and has gone. In no order. */
export function familyEvents(
  store: Pick<EnvironmentStore, "node" | "nodeOf">,
  { id }: Pick<LiveNode, "id">,
  events: Iterable<EnvironmentEvent>,
): ResourceEvent[] {
  const isFamily = ({ event, workload }: EnvironmentEvent): boolean =>
    [event?.regarding, workload].some((ref) => ref !== undefined && nodeIdOf(ref) === id) ||
    isBelow(store, id, store.nodeOf(event?.regarding));
  return [...events].flatMap((each) => (each.event !== undefined && isFamily(each) ? [each.event] : []));
}

/** Both without what both tell: of that the one that was heard of last. */
export function mergedEvents(queried: readonly ResourceEvent[], live: readonly ResourceEvent[]): ResourceEvent[] {
  const merged = new Map(live.map((event, index) => [`${index}`, event]));
  const known = new Map(live.map((event, index) => [keyOf(event), `${index}`]));
  for (const event of queried) {
    const key = known.get(keyOf(event)) ?? keyOf(event);
    const before = merged.get(key);
    if (before === undefined || lastOf(event) > lastOf(before)) merged.set(key, event);
  }
  return [...merged.values()];
}

/** Whether a node is the one with an id, or is owned by it, itself or through others. */
export function isBelow(store: Pick<EnvironmentStore, "node">, id: string, node: LiveNode | undefined): boolean {
  let at = node;
  for (let step = 0; at !== undefined && step < MAX_STEPS; step += 1) {
    if (at.id === id) return true;
    at = store.node(at.ownerId);
  }
  return false;
}

function keyOf({ type, reason, source, message, regarding }: ResourceEvent): string {
  return JSON.stringify([type, reason, source, message, regarding && nodeIdOf(regarding)]);
}

function lastOf({ lastAt }: ResourceEvent): number {
  return lastAt === undefined ? 0 : millisOf(lastAt);
}
