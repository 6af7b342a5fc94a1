import type { GrpcStatus } from "@binnacle/grpc-wire";
import { type ObjectKey, objectPath } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

import { type ClusterApi, isOk } from "../../cluster-access/cluster-api.ts";
import type { Commit } from "../sync/commit.ts";
import { ServedKinds } from "../cluster/served-kinds.ts";
import { inventoryRefOf, type Inventory, type InventoryRef, requestsOf } from "../inventory/inventory.ts";
import { InventoryStore, CONFIG_MAPS } from "../inventory/inventory-store.ts";
import { Turns } from "../manifests/turns.ts";
import { SyncReporter, type SyncReporterOptions } from "../report/sync-reporter.ts";
import { OwnWrites } from "../sync/own-writes.ts";
import { syncCommit } from "../sync/sync-commit.ts";
import type { SyncObserver } from "../sync/sync-observer.ts";
import { emptyReport, type SyncReport } from "../sync/sync-report.ts";
import { waitUntilReady } from "../sync/wait-until-ready.ts";
import { watchCommits, type CommitSourceOptions } from "./commit-source.ts";
import type { ProjectOptions } from "./project-options.ts";
import type { InventoryLocations, TooLargeCommits } from "./project-records.ts";

/** What was applied is applied again this often: whatever has drifted in between is put right. */
const AGAIN_MS = 5 * 60_000;

/** After a sync that broke off: soon, but not in a tight loop. */
const RETRY = { initialMs: 5_000, maxMs: AGAIN_MS };

/** Objects that are logged one by one. */
const MAX_LOGGED = 20;

/** How a sync went. */
interface Synced {
  /** Undefined when it broke off. */
  readonly report: SyncReport | undefined;
  /** From its beginning to that of the next. */
  readonly pauseMs: number;
}

const IDLE: Synced = { report: undefined, pauseMs: AGAIN_MS };

/** What a worker needs. */
export interface ProjectWorkerOptions extends Omit<CommitSourceOptions, "project" | "link">, Pick<SyncReporterOptions, "link"> {
  readonly api: ClusterApi;
  readonly agentId: bigint;
  readonly project: ProjectOptions;
  readonly tooLarge: TooLargeCommits;
  readonly inventories: InventoryLocations;
}

/** Keeps the cluster at the newest commit of one manifest project. */
export class ProjectWorker {
  readonly #options: ProjectWorkerOptions;
  readonly #retry = new Backoff(RETRY);
  readonly #observer: SyncObserver;
  readonly #reporter: SyncReporter;
  readonly #ownWrites = new OwnWrites();
  #commit: Commit | undefined;
  /** What the inventory records of earlier processes was read, or a sync has read it anew. */
  #isRestored = false;
  /** As the last sync has read it. */
  #inventory: Inventory | undefined;
  #superseded = new AbortController();
  /** When the annotations of the inventory have requested something else the last time; that is how often they are polled. */
  #requestsChangedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProjectWorkerOptions) {
    this.#options = options;
    this.#reporter = new SyncReporter(options);
    this.#observer = {
      planned: (plan) => {
        this.#inventory = plan.inventory;
        this.#isRestored = true;
        options.inventories.add(options.project, plan.inventory);
        this.#reporter.status.planned(plan);
      },
      settled: (result) => this.#reporter.status.settled(result),
    };
  }

  /** Settles when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { tooLarge, inventories, project } = this.#options;
    const recorded = inventories.find(project);
    // Before the first report: what is refused later says what was applied before it.
    if (recorded) await this.#restore({ ...recorded, formerId: "" }, signal);
    const known = tooLarge.find(project);
    if (known) this.#knownTooLarge(known);
    const source = {
      ...this.#options,
      ...(known && { knownCommit: known.commitId }),
      answered: (status: GrpcStatus, refused: string) => this.#reporter.status.answered(status, refused),
    };
    await Promise.all([
      watchCommits(source, (commit) => this.#take(commit), signal),
      this.#sync(signal),
      this.#reporter.run(signal),
      recorded && this.#restoreLater({ ...recorded, formerId: "" }, signal),
    ]);
  }

  /** A commit that was too large before this replica started is not requested again. */
  #knownTooLarge({ commitId, reason }: { readonly commitId: string; readonly reason: string }): void {
    const { log, project } = this.#options;
    log.warn({ project_id: project.id, commit_id: commitId, reason }, "a commit that was too large is not tried again");
    this.#reporter.status.begun(commitId);
    this.#reporter.status.ended({ ...emptyReport(commitId, "too_large"), reason });
  }

  #take(commit: Commit): void {
    this.#commit = commit;
    this.#superseded.abort();
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      // Commits that come from now on are newer than the one that is taken here.
      this.#superseded = new AbortController();
      const superseded = this.#superseded.signal;
      const startedAt = clock.now();
      const { report, pauseMs } = this.#commit === undefined ? IDLE : await this.#syncOnce(this.#commit, { signal, superseded });
      await this.#rest(AbortSignal.any([signal, superseded]), async (resting) => {
        if (report?.state === "synced") await this.#reconcile(report, resting);
        await sleep(clock, Math.max(0, startedAt + pauseMs - clock.now()), resting);
      });
    }
  }

  /** Between two syncs: until `act` has ended, the signal aborts, or the annotations of the inventory request something else. */
  async #rest(signal: AbortSignal, act: (resting: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const resting = AbortSignal.any([signal, over.signal]);
    const polled = this.#inventory && { ...this.#inventory, changedAtMs: this.#requestsChangedAtMs };
    const changed =
      polled &&
      untilRequestsChange(polled, this.#options, resting).then(() => {
        if (!resting.aborted) this.#requestsChangedAtMs = this.#options.clock.now();
        over.abort();
      });
    await act(resting);
    over.abort();
    await changed;
  }

  /** Reads what the inventory records of earlier processes, unless it was read. Never rejects. */
  async #restore(ref: InventoryRef, signal: AbortSignal): Promise<void> {
    if (this.#isRestored) return;
    const { api, project, log } = this.#options;
    try {
      const store = new InventoryStore({ api, signal, turns: new Turns() });
      const inventory = await store.load(ref);
      if (!this.#isRestored && inventory.resourceVersion !== undefined) this.#reporter.status.restored(inventory);
      this.#isRestored = true;
    } catch (error) {
      if (!signal.aborted) log.debug({ error, project_id: project.id }, "the inventory was not read before the first sync");
    }
  }

  /** Tries again until it was read: no sync reads the inventory of a commit that is refused. Never rejects. */
  async #restoreLater(ref: InventoryRef, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(RETRY);
    while (!this.#isRestored && !signal.aborted) {
      await sleep(this.#options.clock, backoff.nextMs(), signal);
      if (!signal.aborted) await this.#restore(ref, signal);
    }
  }

  /** Never rejects. */
  async #syncOnce(commit: Commit, until: { readonly signal: AbortSignal; readonly superseded: AbortSignal }): Promise<Synced> {
    const { api, clock, agentId, project, log } = this.#options;
    const by = { api, clock, agentId, options: project, observer: this.#observer, ownWrites: this.#ownWrites, ...until };
    const fields = { project_id: project.id, commit_id: commit.commitId };
    await this.#restore(inventoryRefOf(agentId, commit.projectId, project.defaultNamespace), until.signal);
    const startedAt = clock.now();
    this.#reporter.status.begun(commit.commitId);
    try {
      const report = await syncCommit(commit, by);
      this.#reporter.status.ended(report);
      this.#remember(commit, report);
      this.#log(report, clock.now() - startedAt);
      this.#retry.reset();
      return { report, pauseMs: report.state === "interrupted" ? 0 : AGAIN_MS };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#reporter.status.brokeOff(reason);
      if (!until.signal.aborted) log.warn({ ...fields, reason }, "sync broke off");
      return { report: undefined, pauseMs: clock.now() - startedAt + this.#retry.nextMs() };
    }
  }

  /** A commit that is too large is let go: only another one, or another limit, is tried. */
  #remember(commit: Commit, { commitId, state, reason }: SyncReport): void {
    const { tooLarge, project } = this.#options;
    if (state !== "too_large") return tooLarge.delete(project);
    tooLarge.add(project, { commitId, reason });
    if (this.#commit === commit) this.#commit = undefined;
  }

  /** Waits until what was applied is well. */
  async #reconcile(report: SyncReport, signal: AbortSignal): Promise<void> {
    const { api, clock, project, log } = this.#options;
    const timeoutMs = Math.min(project.reconcileTimeoutMs, AGAIN_MS);
    const notReady = await waitUntilReady(report.live, { api, kinds: new ServedKinds(api), clock, timeoutMs, signal });
    if (signal.aborted) return;
    this.#reporter.status.notReady(notReady.keys());
    const fields = { project_id: project.id, commit_id: report.commitId, not_ready: notReady.size };
    const [first] = notReady;
    if (first === undefined) log.info(fields, "manifests are reconciled");
    else log.warn({ ...fields, source: first[0].source, line: first[0].line, reason: first[1] }, "manifests are not reconciled");
  }

  #log(report: SyncReport, durationMs: number): void {
    const { log, project } = this.#options;
    const fields = { project_id: project.id, commit_id: report.commitId };
    const count = (outcome: string): number => report.results.filter((result) => result.outcome === outcome).length;
    const bad = [
      ...report.errors.map(({ source, line, message, other, object }) => ({
        source,
        line,
        reason: other === undefined ? message : `${message}, see ${other.source}:${other.line}`,
        ...(object && namesOf(object)),
      })),
      ...report.results
        .filter(({ outcome }) => outcome === "failed" || outcome === "skipped" || outcome === "drifted")
        .map(({ source, line, fieldLine, reason, key }) => ({ source, line: fieldLine || line, reason, ...namesOf(key) })),
    ];
    for (const one of bad.slice(0, MAX_LOGGED))
      log.warn({ ...fields, ...one }, report.state === "drifted" ? "object has drifted" : "manifest not applied");
    const [foreign] = report.foreign;
    if (foreign !== undefined)
      log.warn({ ...fields, objects: report.foreign.length, ...namesOf(foreign) }, "another agent may be applying the same objects");
    if (report.reason !== "")
      log.warn({ ...fields, reason: report.reason }, report.state === "too_large" ? "the commit is too large" : "the sync is not complete");
    if (report.pruneHeld !== "") log.warn({ ...fields, reason: report.pruneHeld }, "nothing is pruned");
    const counts = { applied: count("applied"), unchanged: count("unchanged"), pruned: count("pruned"), failed: count("failed") };
    log.info(
      { ...fields, state: report.state, waves: report.waves, duration_ms: durationMs, errors: report.errors.length, ...counts },
      "sync ended",
    );
  }
}

/** An object in a line of the log. */
function namesOf({ kind, namespace, name }: ObjectKey): Omit<ObjectKey, "group"> {
  return { kind, namespace, name };
}

/** A person who consents, pauses or asks for a sync sees an effect within this time. */
const POLL_MS = 10_000;
/** The time for the next request of a person who has just made one. */
const SOON_POLL_MS = 2_000;
const SOON_FOR_MS = 60_000;

/** An inventory as a sync has read it, and when its requests have changed last, in milliseconds since the epoch. */
export interface PolledInventory extends Pick<Inventory, "namespace" | "name" | "requests"> {
  readonly changedAtMs: number;
}

/** Waits until the annotations of an inventory request something else of a sync than when it was read, or the signal aborts. Never rejects. */
export async function untilRequestsChange(
  inventory: PolledInventory,
  by: { readonly api: ClusterApi; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const { api, clock } = by;
  for (;;) {
    const ageMs = clock.now() - inventory.changedAtMs;
    await sleep(clock, ageMs >= 0 && ageMs < SOON_FOR_MS ? SOON_POLL_MS : POLL_MS, signal);
    if (signal.aborted) return;
    try {
      const answer = await api.call({ method: "GET", target: objectPath(CONFIG_MAPS, inventory), signal });
      if (isOk(answer) && requestsOf(answer.value) !== inventory.requests) return;
    } catch {
      // The next poll tells.
    }
  }
}
