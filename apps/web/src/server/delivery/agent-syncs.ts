import type { ViewScope } from "@binnacle/environment-view";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { words } from "@binnacle/words";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { Member } from "./delivery.ts";
import type { FullSyncReport } from "../syncs/full-sync-report.ts";
import type { GitopsSyncs, KnownSyncs, ReportAccess, SyncSource } from "../syncs/gitops-syncs.ts";
import type { CommitRecord } from "../main-application/records.ts";
import type { SyncRecord } from "../syncs/sync-record.ts";

/** A sync, with its commits for who may read those. */
export type ShownSync = SyncRecord & {
  readonly commit: CommitRecord | undefined;
  /** The one that was applied last as a whole. */
  readonly appliedCommit: CommitRecord | undefined;
  /** For who may read its manifests, where files or authors are to be named. */
  readonly report: FullSyncReport | undefined;
  /** For who may read its manifests. */
  readonly source: SyncSource | undefined;
};

/** Which viewer reads the syncs of which agent. */
export interface AgentSyncsOptions {
  readonly gitops: GitopsSyncs;
  readonly viewerAccess: ViewerAccess;
  readonly access: ReportAccess;
  /** Whether to read where the manifests are: one more request for each sync and commit. Default: no. */
  readonly isShowingSources?: boolean;
}

const NONE: Member<never> = { state: "none" };
const UNSUPPORTED: Member<never> = { state: "unknown", why: words("delivery/reports-not-supported") };
const NOT_REPORTED = words("delivery/agent-not-reported");
const KAS_UNREACHABLE = words("delivery/kas-unreachable");

/** The syncs of one agent as one viewer may know them, by the part of the cluster that they touch. */
export class AgentSyncs {
  readonly #options: AgentSyncsOptions;
  #known: Omit<KnownSyncs, "syncs"> | undefined;
  /** As they could be read last: a commit that is not fresh any more is read again with the list, and stays until then. */
  #shown: readonly ShownSync[] = [];
  /** By project. */
  #reports: ReadonlyMap<string, FullSyncReport | undefined> = new Map();
  #sources: ReadonlyMap<string, SyncSource | undefined> = new Map();

  /** Begins with the last reading. */
  constructor(options: AgentSyncsOptions) {
    this.#options = options;
    const known = options.gitops.last(options.access);
    if (known !== undefined) this.#take(known);
  }

  /** Syncs that touch a scope; `undefined` while nothing was read. */
  of(scope: ViewScope): Member<readonly ShownSync[]> | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    if (known.access === "forbidden") return { state: "forbidden" };
    if (known.access === "unsupported") return UNSUPPORTED;
    const value = this.#shown.filter((sync) => isTouching(sync, scope));
    if (known.asOfMs !== undefined) {
      return { state: "unknown", value: someOf(value), asOfMs: known.asOfMs, sinceMs: known.asOfMs, why: KAS_UNREACHABLE };
    }
    const retained = value.flatMap(({ retainedAsOfMs }) => retainedAsOfMs ?? []);
    if (retained.length > 0) {
      const asOfMs = Math.min(...retained);
      return { state: "unknown", value, asOfMs, sinceMs: asOfMs, why: NOT_REPORTED };
    }
    if (value.length > 0) return { state: "known", value };
    return known.isComplete ? NONE : { state: "unknown", why: NOT_REPORTED };
  }

  /** Reads the syncs, and the commits of those that touch one of the scopes. Never rejects. @returns whether anything is known */
  async read(scopes: readonly ViewScope[]): Promise<boolean> {
    const { gitops, viewerAccess, access, isShowingSources } = this.#options;
    const known = await gitops.read(access);
    if (known === undefined) return false;
    const shown = [...new Set(scopes.flatMap((scope) => touching(known, scope)))];
    const named = shown.flatMap((sync) => [newestOf(sync), appliedOf(sync)]);
    await Promise.all(named.map((commit) => gitops.commits.read(viewerAccess, commit)));
    const readable = shown.filter((sync) =>
      [newestOf(sync), appliedOf(sync)].some((commit) => gitops.commits.last(viewerAccess, commit) !== undefined),
    );
    const detailed = readable.filter(isAboutFiles);
    const reports = await Promise.all(detailed.map(async ({ project }) => [project, await gitops.fullReport(access, project)] as const));
    this.#reports = new Map(reports);
    if (isShowingSources === true) {
      const sources = await Promise.all(readable.map(async (sync) => [sync.project, await gitops.source(access, sync)] as const));
      this.#sources = new Map(sources);
    }
    this.#take(known);
    return true;
  }

  #take(known: KnownSyncs): void {
    this.#known = known;
    this.#shown = known.syncs.map((sync) => this.#shownOf(sync));
  }

  #shownOf(sync: SyncRecord): ShownSync {
    const { gitops, viewerAccess, access, isShowingSources } = this.#options;
    const [commit, appliedCommit] = [newestOf(sync), appliedOf(sync)].map((of) => gitops.commits.last(viewerAccess, of));
    if ((commit ?? appliedCommit) === undefined) return { ...sync, commit, appliedCommit, report: undefined, source: undefined };
    const last = gitops.lastReport(access, sync);
    const report = isAboutFiles(sync) ? (this.#reports.get(sync.project) ?? last.report) : undefined;
    const source = isShowingSources === true ? (this.#sources.get(sync.project) ?? last.source) : undefined;
    return { ...sync, commit, appliedCommit, report, source };
  }
}

function someOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Whether who may read the files needs to know where, or whose commits wait. */
function isAboutFiles({ state, failed, drifted, waiting }: SyncRecord): boolean {
  return state === GitopsSyncState.INVALID || failed + drifted > 0 || (waiting?.count ?? 0) > 0;
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
