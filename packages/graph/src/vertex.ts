import type { Fields, KubeObject, ObjectKey } from "@binnacle/kube";

import type { Bag } from "./bag.ts";
import type { EdgeRow } from "./edge-catalogue.ts";
import type { Token } from "./name-target.ts";
import type { Reference } from "./reference.ts";

/** The labels by which an object is selected. */
export interface Labelled {
  readonly namespace: string;
  readonly labels: Fields;
}

/** A reference and the node that holds it. Compared by identity. */
export interface BoundReference {
  readonly holder: Vertex;
  readonly reference: Reference;
  /** Nodes that it leads to right now: none, one, or several (selectors, claims and defaults do that). */
  targets: Bag<Vertex>;
  /** Its neighbours among those that want the same token: a list that costs nothing besides, and to leave it neither. */
  previous: BoundReference | undefined;
  next: BoundReference | undefined;
}

/** One line and the references that draw it. There is one per (from, to, kind), however many fields say it. */
export interface EdgeEntry {
  readonly from: Vertex;
  readonly to: Vertex;
  /** Of any of the references; a user may change the class of a rule. */
  row: EdgeRow;
  references: Bag<BoundReference>;
  /** The change log has it already. */
  isTouched: boolean;
  /** Its neighbours in the lists of its two ends. */
  nextOut: EdgeEntry | undefined;
  previousOut: EdgeEntry | undefined;
  nextInto: EdgeEntry | undefined;
  previousInto: EdgeEntry | undefined;
}

/** What is known of an object that is there. */
export interface Entry {
  readonly object: KubeObject;
  /** `group/kind`. */
  readonly kind: string;
  /** Names under which others may refer to it; the first is that of its key. */
  readonly tokens: readonly [ObjectKey, ...Token[]];
  readonly references: readonly BoundReference[];
  /** Its labels, when it is a pod. */
  readonly pod: Labelled | undefined;
  /** Labels of its pod template, when it is a workload that Services may select. */
  readonly workload: Labelled | undefined;
}

/** A ring of preferred owners, and the member whose preferred owner does not become its parent. */
export interface Ring {
  readonly members: readonly Vertex[];
  readonly cut: Vertex;
}

/**
 * One node with everything that hangs on it: an index from ids to these is all that a graph has to look up. Fields are
 * written by the part that they belong to: lines by `edge-lists`, owners by `OwnerForest`, marks by who reads them.
 */
export class Vertex {
  readonly id: string;
  /** Absent for a ghost. */
  entry: Entry | undefined = undefined;
  /** The name in an unresolved reference to it. */
  ghost: ObjectKey | undefined = undefined;
  /** The first of the lines of the references that it holds, and of those that lead here; each line knows the next. */
  out: EdgeEntry | undefined = undefined;
  into: EdgeEntry | undefined = undefined;
  outCount = 0;
  intoCount = 0;
  /** The owner that it would have, and the nodes that would have it, before rings are cut. */
  preferredOwner: Vertex | undefined = undefined;
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
