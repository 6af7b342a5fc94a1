import type { FaultWorld } from "./fault-world.ts";

/** What somebody writes down who wants the world: the rest of it, children, statuses and Events, its cluster makes. */
export function wished<T extends FaultWorld>(world: T): T {
  const roots = world.objects.filter(({ kind, metadata }) => kind !== "Event" && metadata.ownerReferences === undefined);
  return { ...world, objects: roots.map(({ status: _, ...object }) => object) };
}
