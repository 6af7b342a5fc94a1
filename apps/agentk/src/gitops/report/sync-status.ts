import type { GitopsSyncState } from "@binnacle/proto/kas-gitops";

import type { InventoryRef } from "../inventory/inventory.ts";
import type { ObjectResult } from "../sync/object-result.ts";

/** A commit that was applied as a whole. */
export interface AppliedCommit {
  readonly commitId: string;
  /** When first; undefined when this process found everything as it should be. */
  readonly atMs: number | undefined;
}

/** How a project stands, as it is told to kas. Immutable. */
export interface SyncStatus {
  /** Empty while there is none. */
  readonly commitId: string;
  readonly state: GitopsSyncState;
  /** One sentence; empty when all is well. Names a file only when the state is INVALID: to people kas tells it of no such sync. */
  readonly reason: string;
  readonly startedAtMs: number;
  /** Undefined while it goes on. */
  readonly finishedAtMs: number | undefined;
  readonly waves: number;
  readonly pruneHeld: string;
  /** Objects in all, with those of which nothing is known yet. */
  readonly objects: number;
  /** What became of objects so far. */
  readonly results: readonly ObjectResult[];
  /** Of its objects, sorted; what was known last while the files cannot be read. */
  readonly namespaces: readonly string[];
  /** The commit that was applied last as a whole; undefined while this process knows of none. */
  readonly applied: AppliedCommit | undefined;
  /** With the id that its label has; undefined while it is not known. */
  readonly inventory: Pick<InventoryRef, "namespace" | "name" | "id"> | undefined;
}
