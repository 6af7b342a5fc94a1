import { formatInventoryId, type ObjectKey } from "@binnacle/kube";
import { Fault, type Clock } from "@binnacle/rpc";

import type { ClusterApi } from "../../cluster-access/cluster-api.ts";
import { ServedKinds } from "../cluster/served-kinds.ts";
import { convertInventory, InventoryStore } from "../inventory/inventory-store.ts";
import { inventoryRefOf, type Inventory } from "../inventory/inventory.ts";
import { nextLastApplied } from "../inventory/last-applied.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { Turns } from "../manifests/turns.ts";
import { applyObject, type Applying, takeOver } from "./apply-object.ts";
import { applyWaves } from "./apply-waves.ts";
import type { Commit } from "./commit.ts";
import { compareObject, appliedMark, driftReport, isApplied } from "./drift.ts";
import { concurrently } from "./concurrently.ts";
import { leavingObjects, whyHeld } from "./leaving-objects.ts";
import type { ObjectResult } from "./object-result.ts";
import { keptNames } from "./left-fields.ts";
import { OwnWrites } from "./own-writes.ts";
import { pruneObjects } from "./prune-objects.ts";
import { readCommit, type ReadCommit } from "./read-commit.ts";
import type { SyncObserver } from "./sync-observer.ts";
import type { SyncOptions } from "./sync-options.ts";
import { emptyReport, type SyncReport } from "./sync-report.ts";

/** What a sync is made with. */
export interface Syncing {
  readonly api: ClusterApi;
  readonly clock: Clock;
  readonly agentId: bigint;
  readonly options: SyncOptions;
  /** Breaks the sync off where it is; a later one goes on. */
  readonly signal: AbortSignal;
  /** A newer commit is there: waits end, what is begun is finished. */
  readonly superseded: AbortSignal;
  readonly observer?: SyncObserver;
  /** What this replica has applied before; absent: nothing. */
  readonly ownWrites?: OwnWrites;
}

/**
 * Brings the cluster to a commit. The inventory is written twice: before anything is applied it gets what will be, and when all is done it loses
 * what is gone. So an agent that is killed in between leaves no object that the inventory does not list, and the next sync ends where this one would have.
 *
 * @throws Fault when the cluster does not answer or another client has written the inventory: retry later
 */
export async function syncCommit(commit: Commit, by: Syncing): Promise<SyncReport> {
  const { api, options, signal } = by;
  const kinds = new ServedKinds(api);
  const turns = new Turns();
  const { ownWrites = new OwnWrites() } = by;
  const read = await readCommit(commit, {
    inventory: inventoryRefOf(by.agentId, commit.projectId, options.defaultNamespace),
    defaultNamespace: options.defaultNamespace,
    kinds,
    stopOn: options.stopOn,
    maxObjects: options.maxObjects,
    turns,
    signal,
  });
  if ("tooMany" in read) return { ...emptyReport(commit.commitId, "too_large"), reason: tooManyReason(read.tooMany, options) };
  if (!("waves" in read)) return { ...emptyReport(commit.commitId, "invalid"), errors: read.errors };
  const report = { ...emptyReport(commit.commitId, "tried"), errors: read.errors };
  if (options.dryRun === "client") return { ...report, waves: read.waves.length };
  const store = new InventoryStore({ api, signal, turns });
  const loaded = await store.load(read.inventory);
  const manifests = read.waves.flat();
  const applying: Applying = {
    api,
    inventory: loaded,
    kept: keptNames(loaded.kept),
    policy: options.inventoryPolicy,
    force: options.forceConflicts,
    dryRun: options.dryRun === "server",
    ownWrites,
    signal,
  };
  const mayTakeOver = loaded.takeOver !== "" && !loaded.paused && !applying.dryRun;
  const taken = mayTakeOver ? await takeOver(loaded, { manifests, applying, store }) : undefined;
  const inventory = taken?.inventory ?? loaded;
  by.observer?.planned({ inventory, manifests, errors: read.errors });
  if (inventory.paused) return { ...report, state: "paused", reason: inventory.pausedReason };
  const each = (act: typeof applyObject): Promise<readonly ObjectResult[]> =>
    concurrently(manifests, async (manifest) => {
      const result = await act(manifest, applying);
      by.observer?.settled(result);
      return result;
    });
  if (applying.dryRun) return { ...report, results: await each(applyObject), waves: read.waves.length };
  const of = { commit, read, options, inventory, turns };
  try {
    const sync = new Sync({ commit, by, read, kinds, store, turns, applying });
    const { report: done, inventory: after } = isApplied(of)
      ? { report: await driftReport(of, options.drift === "ignore" ? [] : await each(compareObject)), inventory }
      : await sync.run(inventory);
    const isComplete = done.state === "synced" || done.state === "drifted";
    const converted = isComplete ? await convertInventory(after, { api, kinds, store, signal }) : { inventory: after, reason: "" };
    const former = converted.reason === "" ? "" : `the inventory keeps its former id: ${converted.reason}`;
    const reason = [done.reason, former, taken?.reason].filter(Boolean).join("; ");
    const results = done.results.map((result) => withKept(result, inventory));
    return { ...done, reason, results, inventory: converted.inventory, foreign: ownWrites.takeForeign() };
  } catch (error) {
    if (!(error instanceof Fault && error.reason === "over_budget")) throw error;
    return { ...emptyReport(commit.commitId, "too_large"), reason: error.message };
  }
}

/** What one sync that changes the cluster consists of. */
interface SyncParts {
  readonly commit: Commit;
  readonly by: Syncing;
  readonly read: ReadCommit;
  readonly kinds: ServedKinds;
  readonly store: InventoryStore;
  readonly turns: Turns;
  readonly applying: Applying;
}

/** One sync that changes the cluster. */
class Sync {
  readonly #of: SyncParts;

  constructor(of: SyncParts) {
    this.#of = of;
  }

  /** @returns the inventory as it was written last too */
  async run(before: Inventory): Promise<{ readonly report: SyncReport; readonly inventory: Inventory }> {
    const { commit, by, read, kinds, store, turns, applying } = this.#of;
    const manifests = read.waves.flat();
    const leaving = await leavingObjects(before, manifests, turns);
    const inventory = await this.#announce(before, { manifests, leaving });
    const { results, waves, interrupted } = await applyWaves(read.waves, {
      ...by,
      kinds,
      applying,
      turns,
      timeoutMs: by.options.reconcileTimeoutMs,
    });
    const isLeft = ({ outcome }: ObjectResult): boolean => outcome === "failed" || outcome === "drifted";
    const live = new Set(results.filter((result) => !isLeft(result)).map(({ key }) => key));
    const report: SyncReport = {
      ...emptyReport(commit.commitId, interrupted ? "interrupted" : "synced"),
      errors: read.errors,
      results,
      waves,
      live: manifests.filter(({ key }) => live.has(key)),
    };
    const failed = read.errors.length > 0 || results.some(({ outcome }) => outcome === "failed");
    const isIncomplete = failed || interrupted || results.some(isLeft);
    const held = await whyHeld({ commit, options: by.options, inventory: before, leaving, failed: isIncomplete, turns });
    const pruned = held === "" ? await pruneObjects(leaving, { ...by, kinds, inventory, patience: by.superseded }) : [];
    const gone = pruned.filter(({ outcome }) => outcome !== "failed");
    // What was refused, and was not there before, is not ours.
    const refused = results.filter((result) => isLeft(result) && !before.objects.has(lineOf(result.key)));
    const isFailed = failed || gone.length < pruned.length;
    const conflicts = results.filter(({ outcome }) => outcome === "drifted").length;
    const state = report.state !== "synced" ? report.state : isFailed ? "failed" : conflicts > 0 ? "conflicting" : "synced";
    const reason = state === "conflicting" ? conflictSentence(conflicts, results.length) : "";
    const applied = state === "synced" ? appliedMark({ commit, options: by.options, inventory: before }) : "";
    const after = await store.save(inventory, {
      add: [],
      remove: [...gone, ...refused].map(({ key }) => lineOf(key)),
      someLeft: gone.length < leaving.length,
      applied,
      lastApplied: nextLastApplied(before.lastApplied, {
        commitId: commit.commitId,
        isWhole: state === "synced",
        hasWritten: [...results, ...pruned].some(({ outcome }) => outcome === "applied" || outcome === "pruned"),
        objects: results.length,
        nowMs: by.clock.now(),
      }),
    });
    return { report: { ...report, state, reason, results: [...results, ...pruned], pruneHeld: held }, inventory: after };
  }

  /** Writes down what will be applied. The Namespace of the inventory may be one of the commit. */
  async #announce(
    inventory: Inventory,
    of: { readonly manifests: readonly PlacedManifest[]; readonly leaving: readonly ObjectKey[] },
  ): Promise<Inventory> {
    const { store, turns, applying } = this.#of;
    const { manifests, leaving } = of;
    const add: string[] = [];
    for await (const { key } of turns.over(manifests)) add.push(lineOf(key));
    const change = { add, remove: [], someLeft: leaving.length > 0, applied: "" };
    try {
      return await store.save(inventory, change);
    } catch (error) {
      const home = manifests.find(({ key }) => key.group === "" && key.kind === "Namespace" && key.name === inventory.namespace);
      if (!(error instanceof Fault && error.reason === "not_found") || home === undefined) throw error;
      await applyObject(home, applying);
      return store.save(inventory, change);
    }
  }
}

/** A result with the fields that are kept of its object. */
function withKept(result: ObjectResult, { kept }: Inventory): ObjectResult {
  const keptFields = kept.get(lineOf(result.key));
  return keptFields === undefined ? result : { ...result, keptFields };
}

function conflictSentence(conflicts: number, objects: number): string {
  return `${conflicts} of ${objects} objects are out of sync: other field managers own fields of their manifests`;
}

function tooManyReason(count: number, { maxObjects }: SyncOptions): string {
  return (
    `nothing is applied: the commit has about ${count} objects, more than the ${maxObjects} that gitops.max_objects allows; ` +
    "divide it among manifest projects, or raise gitops.max_objects in the agent's binnacle.yaml"
  );
}

/** The line of an object in its inventory; manifests that have none are not placed. */
function lineOf(key: ObjectKey): string {
  return formatInventoryId(key) ?? "";
}
