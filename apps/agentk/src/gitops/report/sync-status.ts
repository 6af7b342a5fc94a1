import type { GitopsSyncState } from "@binnacle/proto/kas-gitops";

import type { InventoryRef } from "../inventory/inventory.ts";
import type { AppliedCommit } from "../inventory/last-applied.ts";
import type { ObjectResult } from "../sync/object-result.ts";

/** Objects of a commit that is not the one of the status. */
export interface FormerObjects {
  readonly commitId: string;
  readonly results: readonly ObjectResult[];
}

/** Status of a project, as it is reported to kas. Immutable. */
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
  /** What became of objects so far; of those that the sync has not come to, where their manifests are. */
  readonly results: readonly ObjectResult[];
  /** Objects of the commit before, where this one's files were refused as a whole; undefined otherwise. */
  readonly former: FormerObjects | undefined;
  /** No sync has ended since this process began: what fails, is held or has drifted is not known. */
  readonly outcomeUnknown: boolean;
  /** Of its objects, sorted; what was known last while the files cannot be read. */
  readonly namespaces: readonly string[];
  /** The commit that was applied last as a whole; undefined: not known. */
  readonly applied: AppliedCommit | undefined;
  /** With the id that its label has; undefined while it is not known. */
  readonly inventory: Pick<InventoryRef, "namespace" | "name" | "id"> | undefined;
}
