import type { ViewScope } from "@binnacle/environment-view";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";

import type { ViewerAccess } from "../session/viewer-access.ts";
import type { GitopsSyncs, KnownSyncs, SyncSource, WholeAccess } from "./gitops-syncs.ts";
import type { SyncCommit } from "./sync-commits.ts";
import type { SyncRecord } from "./sync-record.ts";
import type { WholeSync } from "./full-sync-report.ts";

/** A sync, with its commits for who may read those. */
export type ShownSync = SyncRecord & {
  readonly commit: SyncCommit | undefined;
  /** The one that was applied last as a whole. */
  readonly appliedCommit: SyncCommit | undefined;
  /** For who may read its manifests, where there is something to say of them. */
  readonly whole: WholeSync | undefined;
  /** For who may read its manifests. */
  readonly source: SyncSource | undefined;
};

/** What GitOps does in an environment. */
export interface GitopsRecord {
  readonly syncs: readonly ShownSync[];
  /** When that was read, if nobody could say it since. */
  readonly asOfMs: number | undefined;
}

/** Whose way to which agent's syncs. */
export interface AgentSyncsOptions {
  readonly gitops: GitopsSyncs;
  readonly viewerAccess: ViewerAccess;
  readonly access: WholeAccess;
  /** Whether it is to be told where the manifests are: one question more for each sync and commit. Default: no. */
  readonly isShowingSources?: boolean;
}

/** The syncs of one agent as one viewer is told of them, by the part of the cluster that they touch. */
export class AgentSyncs {
  readonly #options: AgentSyncsOptions;
  #known: KnownSyncs | undefined;
  /** By project. */
  #whole: ReadonlyMap<string, WholeSync | undefined> = new Map();
  #sources: ReadonlyMap<string, SyncSource | undefined> = new Map();

  /** Begins with what is known already. */
  constructor(options: AgentSyncsOptions) {
    this.#options = options;
    this.#known = options.gitops.last(options.access);
  }

  /** What was read last; `undefined` while nothing was. */
  of(scope: ViewScope): GitopsRecord | undefined {
    const { gitops, viewerAccess } = this.#options;
    const commitOf = (commit: NamedCommit): SyncCommit | undefined => gitops.commits.last(viewerAccess, commit);
    return (
      this.#known && {
        syncs: touching(this.#known, scope).map((sync) => {
          const [commit, appliedCommit] = [commitOf(newestOf(sync)), commitOf(appliedOf(sync))];
          const isReader = (commit ?? appliedCommit) !== undefined;
          const whole = isReader ? this.#whole.get(sync.project) : undefined;
          return { ...sync, commit, appliedCommit, whole, source: isReader ? this.#sources.get(sync.project) : undefined };
        }),
        asOfMs: this.#known.asOfMs,
      }
    );
  }

  /** Asks kas, and for the commits of what touches one of the scopes. Never rejects. @returns whether anything is known */
  async read(scopes: readonly ViewScope[]): Promise<boolean> {
    const { gitops, viewerAccess, access, isShowingSources } = this.#options;
    const known = await gitops.read(access);
    if (known === undefined) return false;
    const shown = new Set(scopes.flatMap((scope) => touching(known, scope)));
    const named = [...shown].flatMap((sync) => [newestOf(sync), appliedOf(sync)]);
    await Promise.all(named.map((commit) => gitops.commits.read(viewerAccess, commit)));
    const isReader = (sync: SyncRecord): boolean =>
      [newestOf(sync), appliedOf(sync)].some((commit) => gitops.commits.last(viewerAccess, commit) !== undefined);
    const told = [...shown].filter(isReader);
    const about = told.filter(isAboutFiles);
    const whole = await Promise.all(about.map(async ({ project }) => [project, await gitops.whole(access, project)] as const));
    this.#whole = new Map(whole);
    if (isShowingSources === true) {
      const sources = await Promise.all(told.map(async (sync) => [sync.project, await gitops.source(access, sync)] as const));
      this.#sources = new Map(sources);
    }
    this.#known = known;
    return true;
  }
}

/** Whether who may read the files wants to know where to look. */
function isAboutFiles({ state, failed, drifted }: SyncRecord): boolean {
  return state === GitopsSyncState.INVALID || failed + drifted > 0;
}

/** A commit of a manifest project. */
interface NamedCommit {
  readonly project: string;
  readonly sha: string;
}

function newestOf({ project, sha }: SyncRecord): NamedCommit {
  return { project, sha };
}

function appliedOf({ project, appliedSha }: SyncRecord): NamedCommit {
  return { project, sha: appliedSha };
}

function touching({ syncs }: KnownSyncs, scope: ViewScope): readonly SyncRecord[] {
  return syncs.filter((sync) => isTouching(sync, scope));
}

/** Whether a sync's objects are in an environment: of its inventory, or in one of its namespaces. */
function isTouching(sync: Pick<SyncRecord, "namespaces" | "inventoryId">, scope: ViewScope): boolean {
  if (scope.inventory !== undefined && sync.inventoryId !== "" && scope.inventory.name === sync.inventoryId) return true;
  if (scope.namespaces.length === 0) return scope.inventory === undefined;
  return sync.namespaces.some((namespace) => scope.namespaces.includes(namespace));
}
