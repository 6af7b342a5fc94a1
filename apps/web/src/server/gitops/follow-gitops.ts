import { isDeepStrictEqual } from "node:util";

import type { ViewScope } from "@binnacle/environment-view";
import { sleep, type Clock } from "@binnacle/rpc";

import type { ViewerAccess } from "../session/viewer-access.ts";
import type { GitopsSyncs, KnownSyncs, SyncsAccess } from "./gitops-syncs.ts";
import type { SyncCommit } from "./sync-commits.ts";
import type { SyncRecord } from "./sync-record.ts";

/** A sync is seen within this while its environment is open. */
const REFRESH_MS = 10_000;

/** A sync, with its commit for who may read that. */
export type ShownSync = SyncRecord & { readonly commit: SyncCommit | undefined };

/** What GitOps does in an environment. */
export interface GitopsRecord {
  readonly syncs: readonly ShownSync[];
  /** When that was read, if nobody could say it since. */
  readonly asOfMs: number | undefined;
}

/** Whose look at which part of which cluster. */
export interface GitopsLook {
  readonly gitops: GitopsSyncs;
  readonly clock: Clock;
  readonly viewerAccess: ViewerAccess;
  readonly access: SyncsAccess;
  readonly scope: ViewScope;
}

/** What GitOps does in an environment that somebody looks at. */
export class FollowedGitops {
  readonly #look: GitopsLook;
  #now: GitopsRecord | undefined;
  #shown: GitopsRecord | undefined;

  /** Begins with what is known already. */
  constructor(look: GitopsLook) {
    this.#look = look;
    const { gitops, viewerAccess, access, scope } = look;
    const known = gitops.last(access);
    this.#now = known && recordOf(known, scope, (sync) => gitops.commits.last(viewerAccess, sync));
    this.#shown = this.#now;
  }

  /** What was taken last, or known at the beginning. */
  get shown(): GitopsRecord | undefined {
    return this.#shown;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): GitopsRecord | undefined {
    if (isDeepStrictEqual(this.#now, this.#shown)) return undefined;
    this.#shown = this.#now;
    return this.#now;
  }

  /** Asks again and again until `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const { gitops, viewerAccess, access, scope, clock } = this.#look;
    while (!signal.aborted) {
      const known = await gitops.read(access);
      if (known !== undefined) {
        const touching = known.syncs.filter((sync) => isTouching(sync, scope));
        const commits = new Map(
          await Promise.all(touching.map(async (sync) => [sync, await gitops.commits.read(viewerAccess, sync)] as const)),
        );
        this.#now = recordOf(known, scope, (sync) => commits.get(sync));
        changed();
      }
      await sleep(clock, REFRESH_MS, signal);
    }
  }
}

function recordOf(known: KnownSyncs, scope: ViewScope, commitOf: (sync: SyncRecord) => SyncCommit | undefined): GitopsRecord {
  const touching = known.syncs.filter((sync) => isTouching(sync, scope));
  return { syncs: touching.map((sync) => ({ ...sync, commit: commitOf(sync) })), asOfMs: known.asOfMs };
}

/** Whether a sync's objects are in an environment: of its inventory, or in one of its namespaces. */
function isTouching(sync: Pick<SyncRecord, "namespaces" | "inventoryId">, scope: ViewScope): boolean {
  if (scope.inventory !== undefined && sync.inventoryId !== "" && scope.inventory.name === sync.inventoryId) return true;
  if (scope.namespaces.length === 0) return scope.inventory === undefined;
  return sync.namespaces.some((namespace) => scope.namespaces.includes(namespace));
}
