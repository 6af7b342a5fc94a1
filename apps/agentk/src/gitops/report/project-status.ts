import { GRPC_CODE, type GrpcStatus } from "@binnacle/grpc-wire";
import type { ObjectKey } from "@binnacle/kube";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import type { Clock } from "@binnacle/rpc";

import type { Inventory } from "../inventory/inventory.ts";
import type { ManifestError } from "../manifests/manifest.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { resultOf, type ObjectResult } from "../sync/object-result.ts";
import type { SyncObserver, SyncPlan } from "../sync/sync-observer.ts";
import type { SyncReport } from "../sync/sync-report.ts";
import type { FormerObjects, SyncStatus } from "./sync-status.ts";

const STATE = {
  synced: GitopsSyncState.SYNCED,
  failed: GitopsSyncState.FAILED,
  invalid: GitopsSyncState.INVALID,
  paused: GitopsSyncState.PAUSED,
  tried: GitopsSyncState.TRIED,
  interrupted: GitopsSyncState.INTERRUPTED,
  drifted: GitopsSyncState.OUT_OF_SYNC,
  conflicting: GitopsSyncState.OUT_OF_SYNC,
  too_large: GitopsSyncState.FAILED,
} as const;

/** States after which the same commit once more is news only at its end. */
const IS_SETTLED: readonly GitopsSyncState[] = [GitopsSyncState.SYNCED, GitopsSyncState.OUT_OF_SYNC];
/** Ends of a sync that has read no manifest. */
const IS_REFUSED: readonly SyncReport["state"][] = ["invalid", "too_large"];

const OF_FILES: readonly number[] = [GRPC_CODE.failedPrecondition, GRPC_CODE.invalidArgument];
const OF_PROJECT: readonly number[] = [GRPC_CODE.notFound, GRPC_CODE.permissionDenied];

const NO_OBJECTS = { objects: 0, results: [], waves: 0, pruneHeld: "" };
const NO_OBJECT: ObjectKey = { group: "", kind: "", namespace: "", name: "" };

/** What an inventory records of the syncs of earlier processes. */
type Restored = Pick<SyncStatus, "applied" | "inventory"> & Partial<Pick<SyncStatus, "namespaces">>;

/** What a status is made with. */
export interface ProjectStatusOptions {
  readonly clock: Pick<Clock, "now">;
  /** Where objects go that name no namespace: where the project belongs before anything is known of its objects. */
  readonly defaultNamespace: string;
  readonly changed: () => void;
}

/** Follows the syncs of one project, which come one after the other, and says how it stands. */
export class ProjectStatus implements SyncObserver {
  readonly #options: ProjectStatusOptions;
  #running: SyncStatus | undefined;
  #done: ObjectResult[] = [];
  #planned: readonly PlacedManifest[] = [];
  #restored: Restored | undefined;
  #last: SyncStatus | undefined;
  #refusal: Partial<SyncStatus> | undefined;

  constructor(options: ProjectStatusOptions) {
    this.#options = options;
  }

  /** The current status; undefined while it is not known. */
  get now(): SyncStatus | undefined {
    const running = this.#running;
    // The same commit once more, after it was fully applied, is not reported before its end.
    const isRepeat = running?.commitId === this.#last?.commitId && this.#last !== undefined && IS_SETTLED.includes(this.#last.state);
    if (running !== undefined && !isRepeat) return { ...running, results: this.#results() };
    if (this.#refusal !== undefined) {
      const last = this.#last ?? this.#blank("");
      return { ...last, ...(this.#refusal.results && { former: formerOf(last) }), ...this.#refusal, outcomeUnknown: false };
    }
    return this.#last;
  }

  /** What the cluster records of the syncs before this process began; without effect on what a sync of this process has read since. */
  restored(inventory: Inventory): void {
    const namespaces = namespacesOf([...inventory.objects.values()]);
    const restored = { applied: inventory.lastApplied, inventory: labelled(inventory), ...(namespaces.length > 0 && { namespaces }) };
    this.#restored = restored;
    // A commit that was refused before the inventory could be read.
    if (this.#last !== undefined && this.#last.inventory === undefined) this.#last = { ...this.#last, ...restored };
    if (this.#running !== undefined && this.#running.inventory === undefined) this.#running = { ...this.#running, ...restored };
    this.#options.changed();
  }

  /** A sync of a commit begins. */
  begun(commitId: string): void {
    this.#done = [];
    this.#planned = [];
    const blank = this.#blank(commitId);
    // Applied before this process began: it is looked at once more, and no change is under way.
    const isLook = this.#last === undefined && blank.applied?.commitId === commitId;
    this.#running = isLook ? { ...blank, state: GitopsSyncState.UNSPECIFIED } : blank;
    this.#options.changed();
  }

  planned({ inventory, manifests, errors }: SyncPlan): void {
    if (this.#running === undefined) return;
    this.#done.push(...resultsOf(errors));
    this.#planned = manifests;
    const namespaces = namespacesOf(manifests.map(({ key }) => key));
    this.#running = {
      ...this.#running,
      inventory: labelled(inventory),
      applied: this.#last === undefined ? inventory.lastApplied : this.#running.applied,
      objects: manifests.length + errors.length,
      ...(namespaces.length > 0 && { namespaces }),
    };
    this.#options.changed();
  }

  settled(result: ObjectResult): void {
    this.#done.push(result);
    this.#options.changed();
  }

  /** The sync has ended. */
  ended(report: SyncReport): void {
    const { errors, state, waves, pruneHeld } = report;
    const results = state === "invalid" ? [] : [...resultsOf(errors), ...report.results];
    const inventory = report.inventory && { inventory: labelled(report.inventory), applied: report.inventory.lastApplied };
    const former = IS_REFUSED.includes(state) ? formerOf(this.#last) : undefined;
    this.#end({
      state: STATE[state],
      reason: reasonOf(report, results),
      waves,
      pruneHeld,
      // A sync that a newer commit has ended has not come to all objects.
      results: state === "interrupted" ? this.#results() : results,
      former,
      outcomeUnknown: state === "interrupted" && this.#last?.outcomeUnknown !== false,
      ...inventory,
    });
  }

  /** The sync broke off, and is tried again. */
  brokeOff(reason: string): void {
    this.#end({ state: GitopsSyncState.FAILED, reason: `the sync broke off and is tried again: ${reason}`, results: this.#results() });
  }

  /** Objects that were applied and did not get well in time. Why is for those to read who may read them. */
  notReady(manifests: Iterable<PlacedManifest>): void {
    const waited = new Set([...manifests].map(({ key }) => key));
    if (waited.size === 0 || this.#last === undefined) return;
    this.#last = {
      ...this.#last,
      reason: [this.#last.reason, `${waited.size} of ${this.#last.objects} objects are applied, but not well`].filter(Boolean).join("; "),
      results: this.#last.results.map((result) => (waited.has(result.key) ? { ...result, reason: "applied, but not well" } : result)),
    };
    this.#options.changed();
  }

  /**
   * How kas has answered for the manifests. What passes by itself is no news.
   *
   * @param commitId whose files are refused; empty: kas has not named one
   */
  answered({ code, message }: Pick<GrpcStatus, "code" | "message">, commitId = ""): void {
    const refusal = refusalOf(code, commitId);
    if (refusal === undefined && (code !== GRPC_CODE.ok || this.#refusal === undefined)) return;
    const now = this.#options.clock.now();
    this.#refusal = refusal && { ...refusal, reason: `kas gives no manifests: ${message}`, startedAtMs: now, finishedAtMs: now };
    this.#options.changed();
  }

  /** Nothing is applied, because the agent lacks rights, or does not know of them. */
  forbidden(reason: string): void {
    const now = this.#options.clock.now();
    this.#refusal = { state: GitopsSyncState.FAILED, reason: `nothing is applied: ${reason}`, startedAtMs: now, finishedAtMs: now };
    this.#options.changed();
  }

  #end(how: Partial<SyncStatus>): void {
    if (this.#running === undefined) return;
    const ended = { ...this.#running, outcomeUnknown: false, ...how, finishedAtMs: this.#options.clock.now() };
    this.#last = { ...ended, objects: Math.max(ended.objects, ended.results.length) };
    this.#running = undefined;
    this.#options.changed();
  }

  /** What became of objects, and which the sync has not come to. */
  #results(): readonly ObjectResult[] {
    const done = new Set(this.#done.map(({ key }) => key));
    return [...this.#done, ...this.#planned.filter(({ key }) => !done.has(key)).map((manifest) => resultOf(manifest, "pending"))];
  }

  #blank(commitId: string): SyncStatus {
    const before = this.#last ?? this.#restored;
    return {
      commitId,
      state: GitopsSyncState.APPLYING,
      reason: "",
      startedAtMs: this.#options.clock.now(),
      finishedAtMs: undefined,
      waves: 0,
      pruneHeld: "",
      objects: 0,
      results: [],
      // A commit that cannot be read belongs where the one before it did.
      namespaces: before?.namespaces ?? [this.#options.defaultNamespace],
      applied: before?.applied,
      inventory: before?.inventory,
      former: undefined,
      outcomeUnknown: this.#last?.outcomeUnknown ?? true,
    };
  }
}

/** The objects that the cluster has, for a commit whose own are not known. */
function formerOf(last: SyncStatus | undefined): FormerObjects | undefined {
  if (last === undefined || last.results.length === 0) return last?.former;
  return { commitId: last.commitId, results: last.results };
}

/** A refusal that lasts until the files or the access change. */
function refusalOf(code: number, commitId: string): (Partial<SyncStatus> & Pick<SyncStatus, "state">) | undefined {
  if (OF_FILES.includes(code)) return { ...NO_OBJECTS, commitId, state: GitopsSyncState.INVALID };
  return OF_PROJECT.includes(code) ? { state: GitopsSyncState.FAILED } : undefined;
}

/** Objects that were not applied for what stands in the files, as results. What is wrong with a file that cannot be read quotes it. */
function resultsOf(errors: readonly ManifestError[]): readonly ObjectResult[] {
  return errors.map(({ source, line, message, object }) => ({
    key: object ?? NO_OBJECT,
    outcome: "failed",
    reason: object === undefined ? "a manifest cannot be read" : message,
    source,
    line,
    fieldLine: 0,
  }));
}

function reasonOf({ state, reason, errors, foreign }: SyncReport, results: readonly ObjectResult[]): string {
  const [first] = errors;
  if (state === "invalid" && first !== undefined) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    return `${first.source}:${first.line}: ${first.message}${more}`;
  }
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  const reasons = [
    reason,
    failed > 0 ? `${failed} of ${results.length} objects failed` : "",
    failed === 0 && state === "drifted" ? "objects were changed in the cluster, and stay so until a sync is requested" : "",
    foreign.length > 0
      ? `another agent may be applying: field manager agentk has changed ${foreign.length} objects since, and it was not this replica`
      : "",
  ];
  return reasons.filter(Boolean).join("; ");
}

/** An inventory as people find it: with the id of its label. */
function labelled({ namespace, name, label }: Inventory): SyncStatus["inventory"] {
  return { namespace, name, id: label };
}

function namespacesOf(keys: readonly ObjectKey[]): readonly string[] {
  return [...new Set(keys.map(({ namespace }) => namespace).filter((namespace) => namespace !== ""))].toSorted();
}
