import type { Reference } from "./reference.ts";

/** A reference and the node that holds it. Compared by identity. */
export interface BoundReference {
  /** Id of the node that holds it. */
  readonly holder: string;
  readonly reference: Reference;
  /** Nodes that it leads to right now: none, one, or several (only selectors and claims do that). */
  targets: string | Set<string> | undefined;
}

/** Nodes that a reference leads to right now; it is safe to change them while walking. */
export function targetsOf({ targets }: BoundReference): readonly string[] {
  if (targets === undefined) return [];
  return typeof targets === "string" ? [targets] : [...targets];
}

/** Adds a node; whether it was not there yet. */
export function addTarget(bound: BoundReference, to: string): boolean {
  const { targets } = bound;
  if (targets === undefined) bound.targets = to;
  else if (typeof targets === "string") {
    if (targets === to) return false;
    bound.targets = new Set([targets, to]);
  } else {
    if (targets.has(to)) return false;
    targets.add(to);
  }
  return true;
}

/** Takes a node away; whether it was there. */
export function deleteTarget(bound: BoundReference, to: string): boolean {
  const { targets } = bound;
  if (targets instanceof Set) return targets.delete(to);
  if (targets !== to) return false;
  bound.targets = undefined;
  return true;
}
