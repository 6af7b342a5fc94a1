import type { KubeObject, ObjectKey } from "@binnacle/kube";

import type { Bag } from "./bag.ts";
import type { BoundReference, EdgeEntry } from "./edge-entry.ts";
import type { Labelled } from "./label-index.ts";

/** What is known of an object that is there. */
export interface Entry {
  readonly object: KubeObject;
  /** `group/kind`. */
  readonly kind: string;
  /** Names under which others may refer to it; the first is that of its key. */
  readonly tokens: readonly [string, ...string[]];
  readonly references: readonly BoundReference[];
  /** Its labels, when it is a pod. */
  readonly pod: Labelled | undefined;
  /** Labels of its pod template, when it is a workload that Services may select. */
  readonly workload: Labelled | undefined;
}

/** A ring of wished-for owners, and the member whose wish is not granted. */
export interface Ring {
  readonly members: readonly Vertex[];
  readonly cut: Vertex;
}

/**
 * One node with everything that hangs on it: an index from ids to these is all that a graph has to look up. Fields are
 * written by the part that they belong to: lines by `edge-entry`, owners by `OwnerForest`, marks by who reads them.
 */
export class Vertex {
  readonly id: string;
  /** Absent for a ghost. */
  entry: Entry | undefined = undefined;
  /** What a reference calls it that found nobody. */
  ghost: ObjectKey | undefined = undefined;
  /** Lines of the references that it holds, and of those that lead here. */
  out: Bag<EdgeEntry> = undefined;
  into: Bag<EdgeEntry> = undefined;
  /** The owner that it would have, and the nodes that would have it, before rings are cut. */
  wish: Vertex | undefined = undefined;
  children: Bag<Vertex> = undefined;
  ring: Ring | undefined = undefined;
  /** The change log has it already. */
  isTouched = false;
  /** Its owner has to be chosen again. */
  isUnsettled = false;

  constructor(id: string) {
    this.id = id;
  }
}
