import type { ObjectKey } from "@binnacle/kube";

import type { FieldDifference } from "./field-differences.ts";

/** What has happened to an object. */
type ChangeKind = "created" | "changed" | "deleted" | "recreated";

/** One change of one object, or several of one writer within a short time. */
export interface ObjectChange {
  readonly kind: ChangeKind;
  readonly key: ObjectKey;
  readonly version: string;
  /** Empty where the cluster gives none. */
  readonly uid: string;
  /** When, in milliseconds since the epoch: of several the last. */
  readonly atMs: number;
  /** No manager states a time: it is when the change arrived here. */
  readonly isArrival: boolean;
  /** When we heard of it: of several the last. */
  readonly heardMs: number;
  /** The manager, as managed fields name it; empty when it is not known. */
  readonly manager: string;
  /** The subresource that the manager wrote: "status", "scale"; empty for the object itself. */
  readonly subresource: string;
  /** Two lists differ: it happened between them, perhaps in several steps, of which some are not reported. */
  readonly isAfterGap: boolean;
  readonly fields: readonly FieldDifference[];
  /** Fields that have changed beside these. */
  readonly moreFields: number;
  /** How many changes these were. */
  readonly count: number;
  /** Resource versions that they led to, of many the last; none where the cluster gives none. */
  readonly versions: readonly string[];
  /** When we heard of the first of them. */
  readonly firstHeardMs: number;
}
