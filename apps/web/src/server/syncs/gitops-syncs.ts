import { KubeClientError } from "@binnacle/environment-view";
import { sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import type { KasAccess } from "../kas/kas-access.ts";
import { FreshAnswers } from "../base/fresh-answers.ts";
import type { FullSyncReport } from "./full-sync-report.ts";
import type { ReportedObject } from "./applied-objects.ts";
import type { KeptProofs } from "./kept-proofs.ts";
import { queryFullReport, queryObjects, querySyncs, type SyncListResponse } from "./query-kas.ts";
import type { ReaderAssertion } from "./reader-assertion.ts";
import { SyncCommits } from "./sync-commits.ts";
import { UnreadableSyncs, type SyncRecord } from "./sync-record.ts";

/** A list stays fresh for this part of a poll interval: tabs and rows of one viewer share a request. */
const FRESH = 0.9;
/** A kas that does not support the endpoint sends the request on to the cluster: it is polled rarely. */
const UNSUPPORTED_MS = 10 * 60_000;
/** kas answers from memory or Redis. */
const LIMIT_MS = 15_000;
/** kas waits this long for a change before it answers that there was none. */
const WAIT_SECONDS = 25;
/** Between two requests that wait: an agent may report every second. */
const PACE_MS = 500;
const MAX_LISTS = 2_000;
const MAX_REPORTS = 200;
/**
 * Where manifests come from changes with the agent's configuration, rarely: it is requested once for each commit, and then at this
 * interval.
 */
const SOURCE_MS = 10 * 60_000;
const MAX_SOURCES = 500;
/** After a request without a result. */
const NO_SOURCE_MS = 60_000;
const NO_SOURCE: SyncSource = { globs: [], branch: "" };

/** A viewer's way to the syncs of an agent. */
export type SyncsAccess = Pick<KasAccess, "credentialKey" | "agentId" | "kas" | "reading">;

/** The same, with headers beside the viewer's credential. */
export type ReportAccess = SyncsAccess & Pick<KasAccess, "kasSaying">;

/** From where a sync takes its manifests. */
export type SyncSource = Pick<FullSyncReport, "globs" | "branch">;

/** What is known of an agent's syncs. Times are milliseconds since the epoch. */
export interface KnownSyncs {
  readonly access: "allowed" | "forbidden" | "unsupported";
  /** Those that kas lists, and those that it listed before and has no report of now (`retainedAsOfMs`). By project. */
  readonly syncs: readonly SyncRecord[];
  /** What is not listed is not applied by the agent. */
  readonly isComplete: boolean;
  /** When the list was confirmed last, if kas has not answered since. */
  readonly asOfMs: number | undefined;
}

interface Known {
  readonly reading: KnownSyncs | undefined;
  readonly etag: string | undefined;
  /** When kas answered last. */
  readonly atMs: number;
  readonly requestedAtMs: number;
  readonly freshMs: number;
}

/** Dependencies of the syncs. */
interface GitopsSyncsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** How often an open page polls a kas that cannot be waited for, in milliseconds. */
  readonly pollMs: number;
  /** Absent: files are shown to no viewer. */
  readonly readers?: ReaderAssertion | undefined;
  readonly proofs: KeptProofs;
}

/** The syncs of agents, as kas sends them to each viewer: those of one viewer are never shown to another. */
export class GitopsSyncs {
  readonly commits: SyncCommits;
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #freshMs: number;
  /** By credential and agent, as are those below. */
  readonly #known = new LRUCache<string, Known>({ max: MAX_LISTS });
  readonly #pending = new Map<string, Promise<KnownSyncs | undefined>>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #readers: ReaderAssertion | undefined;
  /** By credential, agent and project. */
  readonly #reports: FreshAnswers<FullSyncReport | undefined>;
  /** By credential, agent, project and commit. */
  readonly #sources: FreshAnswers<SyncSource>;
  /** By credential, agent, project and report. */
  readonly #objects: FreshAnswers<readonly ReportedObject[] | undefined>;
  /** Of fields that users keep. */
  readonly proofs: KeptProofs;

  constructor({ clock, log, pollMs, readers, proofs }: GitopsSyncsOptions) {
    this.#pollMs = pollMs;
    this.#freshMs = Math.floor(pollMs * FRESH);
    this.#reports = new FreshAnswers(clock, MAX_REPORTS);
    this.#sources = new FreshAnswers(clock, MAX_SOURCES);
    this.#objects = new FreshAnswers(clock, MAX_REPORTS);
    this.proofs = proofs;
    this.#clock = clock;
    this.#log = log;
    this.#readers = readers;
    this.commits = new SyncCommits(clock);
  }

  /** The last reading, without a request. */
  last(access: SyncsAccess): KnownSyncs | undefined {
    return this.#known.get(keyOf(access))?.reading;
  }

  /** The syncs, requested less than a poll interval ago; the last reading while kas is unreachable; `undefined` when there never was one. */
  async read(access: SyncsAccess): Promise<KnownSyncs | undefined> {
    const key = keyOf(access);
    const known = this.#known.get(key);
    const ageMs = known === undefined ? 0 : this.#clock.now() - known.requestedAtMs;
    if (known !== undefined && ageMs >= 0 && ageMs < known.freshMs) return known.reading;
    return this.#pending.get(key) ?? this.#request(key, access, {});
  }

  /**
   * Resolves when the list may have changed: kas wakes us, or, where it cannot be waited for, a poll interval has passed. The request is
   * shared by all streams of a viewer and ends by itself within half a minute. Never rejects.
   */
  async changed(access: SyncsAccess, signal: AbortSignal): Promise<void> {
    const key = keyOf(access);
    const etag = this.#known.get(key)?.etag;
    if (etag === undefined) return sleep(this.#clock, this.#pollMs, signal);
    const waiting = this.#waiting.get(key) ?? this.#wait(key, access, etag);
    const over = new AbortController();
    const left = sleep(this.#clock, (WAIT_SECONDS + 60) * 1_000, AbortSignal.any([signal, over.signal]));
    await Promise.race([waiting, left]);
    over.abort();
  }

  #wait(key: string, access: SyncsAccess, etag: string): Promise<void> {
    const waiting = sleep(this.#clock, Math.min(PACE_MS, this.#pollMs))
      .then(() => this.#request(key, access, { etag, waitSeconds: WAIT_SECONDS }))
      .then((reading) => (reading?.asOfMs === undefined ? undefined : sleep(this.#clock, this.#pollMs)))
      .finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, waiting);
    return waiting;
  }

  /**
   * The full report of a sync, for a viewer who may read its manifests, requested less than a poll interval ago. The caller has checked
   * that he may, by a commit that the main application has shown him. Never rejects.
   */
  async fullReport(access: ReportAccess, project: string): Promise<FullSyncReport | undefined> {
    const readers = this.#readers;
    if (readers === undefined) return undefined;
    return this.#reports.read(`${keyOf(access)}\0${project}`, async () => {
      return { answer: await this.#requestReport(access, { project, readers }), freshMs: this.#freshMs };
    });
  }

  /** From where a sync takes its manifests, under the condition of `fullReport`; empty while that is not known. Never rejects. */
  source(access: ReportAccess, { project, sha }: { readonly project: string; readonly sha: string }): Promise<SyncSource> {
    return this.#sources.read(`${keyOf(access)}\0${project}\0${sha}`, async () => {
      const { globs, branch } = (await this.fullReport(access, project)) ?? NO_SOURCE;
      return { answer: { globs, branch }, freshMs: globs.length === 0 ? NO_SOURCE_MS : SOURCE_MS };
    });
  }

  /** The objects that a sync has applied, requested once for each report; `undefined` while kas does not tell. Never rejects. */
  appliedObjects(access: SyncsAccess, sync: SyncRecord): Promise<readonly ReportedObject[] | undefined> {
    const { project, sha, state, startedAtMs, finishedAtMs, reportedAtMs } = sync;
    const key = [keyOf(access), project, sha, state, startedAtMs, finishedAtMs, reportedAtMs].join("\0");
    return this.#objects.read(key, async () => {
      const objects = await this.#requestObjects(access, sync);
      return { answer: objects, freshMs: objects === undefined ? this.#freshMs : SOURCE_MS };
    });
  }

  async #requestObjects(access: SyncsAccess, sync: SyncRecord): Promise<readonly ReportedObject[] | undefined> {
    try {
      return await queryObjects(access, { sync, proofs: this.proofs }, AbortSignal.timeout(LIMIT_MS));
    } catch (error) {
      if (error instanceof UnreadableSyncs)
        this.#log.warn({ error, agentId: String(access.agentId) }, "the objects of a sync are not readable");
      else if (!(error instanceof KubeClientError)) this.#log.error({ error }, "reading the objects of a sync failed");
      return undefined;
    }
  }

  /** The last full report and source of a sync, as far as they are fresh, without a request; under the condition of `fullReport`. */
  lastReport(
    access: ReportAccess,
    { project, sha }: { readonly project: string; readonly sha: string },
  ): { readonly report: FullSyncReport | undefined; readonly source: SyncSource | undefined } {
    const key = `${keyOf(access)}\0${project}`;
    return { report: this.#reports.last(key)?.answer, source: this.#sources.last(`${key}\0${sha}`)?.answer };
  }

  async #requestReport(
    access: ReportAccess,
    { project, readers }: { readonly project: string; readonly readers: ReaderAssertion },
  ): Promise<FullSyncReport | undefined> {
    try {
      const headers = await readers.headers({ agentId: access.agentId, project });
      return await queryFullReport({ kas: access.kasSaying(headers), reading: access.reading }, project, AbortSignal.timeout(LIMIT_MS));
    } catch (error) {
      if (error instanceof UnreadableSyncs)
        this.#log.warn({ error, agentId: String(access.agentId) }, "the full report of a sync is not readable");
      else if (!(error instanceof KubeClientError)) this.#log.error({ error }, "reading the full report of a sync failed");
      return undefined;
    }
  }

  #request(
    key: string,
    access: SyncsAccess,
    condition: { readonly etag?: string; readonly waitSeconds?: number },
  ): Promise<KnownSyncs | undefined> {
    const limitMs = LIMIT_MS + (condition.waitSeconds ?? 0) * 1_000;
    // Shared by all who wait for it: a stream that ends must not abort it.
    const pending = querySyncs(access, condition, AbortSignal.timeout(limitMs))
      .then((response) => this.#take(key, response))
      .catch((error: unknown) => {
        if (error instanceof UnreadableSyncs)
          this.#log.warn({ error, agentId: String(access.agentId) }, "the list of syncs is not readable");
        else if (!(error instanceof KubeClientError)) this.#log.error({ error }, "reading the list of syncs failed");
        const before = this.#known.get(key);
        const atMs = before?.atMs ?? this.#clock.now();
        const reading = before?.reading && { ...before.reading, asOfMs: atMs };
        // After a break kas may have another list under the same state.
        return this.#keep(key, { reading, etag: undefined, atMs, freshMs: this.#freshMs });
      })
      .finally(() => {
        if (this.#pending.get(key) === pending) this.#pending.delete(key);
      });
    if (condition.waitSeconds === undefined) this.#pending.set(key, pending);
    return pending;
  }

  #take(key: string, response: SyncListResponse): KnownSyncs | undefined {
    const atMs = this.#clock.now();
    const before = this.#known.get(key);
    switch (response.kind) {
      case "unchanged": {
        const reading = before?.reading && { ...before.reading, asOfMs: undefined };
        return this.#keep(key, { reading, etag: before?.etag, atMs, freshMs: this.#freshMs });
      }
      case "list": {
        const retained = response.isComplete || before === undefined ? [] : retainedOf(before, response.syncs);
        const syncs = [...response.syncs, ...retained].toSorted((a, b) => (a.project < b.project ? -1 : 1));
        const reading = { access: "allowed", syncs, isComplete: response.isComplete, asOfMs: undefined } as const;
        return this.#keep(key, { reading, etag: response.etag, atMs, freshMs: this.#freshMs });
      }
      default: {
        // A viewer who may not know them any more keeps none of before.
        const reading = { access: response.kind, syncs: [], isComplete: false, asOfMs: undefined };
        const freshMs = response.kind === "unsupported" ? UNSUPPORTED_MS : this.#freshMs;
        return this.#keep(key, { reading, etag: undefined, atMs, freshMs });
      }
    }
  }

  #keep(key: string, known: Omit<Known, "requestedAtMs">): KnownSyncs | undefined {
    this.#known.set(key, { ...known, requestedAtMs: this.#clock.now() });
    return known.reading;
  }
}

/** What syncs are read with. */
export interface SyncsContext {
  /** What agents apply from Git. */
  readonly gitops: GitopsSyncs;
}

/** Syncs of before that an incomplete list lacks: kas has restarted and their agent has not reported yet, or has not reported for long. */
function retainedOf({ reading, atMs }: Known, listed: readonly SyncRecord[]): readonly SyncRecord[] {
  const projects = new Set(listed.map(({ project }) => project));
  return (reading?.syncs ?? [])
    .filter(({ project }) => !projects.has(project))
    .map((sync) => ({ ...sync, retainedAsOfMs: sync.retainedAsOfMs ?? atMs }));
}

function keyOf({ credentialKey, agentId }: SyncsAccess): string {
  return `${credentialKey}\0${agentId}`;
}
