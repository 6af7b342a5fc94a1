import { KubeClientError } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import type { KasAccess } from "../upstream/kas-access.ts";
import { FreshAnswers } from "../upstream/fresh-answers.ts";
import { askKas, askWhole } from "./query-kas.ts";
import type { ReaderWord } from "./reader-assertion.ts";
import { SyncCommits } from "./sync-commits.ts";
import { UnreadableSyncs, type SyncRecord } from "./sync-record.ts";
import type { WholeSync } from "./full-sync-report.ts";

/** What was read is not asked again for that part of a period: tabs and rows of one viewer ask together. */
const FRESH = 0.9;
/** A kas that tells nothing is of before, and sends the question on to the cluster: it is asked rarely. */
const NOTHING_MS = 10 * 60_000;
/** kas answers this from what it keeps, or not at all. */
const LIMIT_MS = 15_000;
const MOST_READINGS = 2_000;
const MOST_WHOLE = 200;
/** Where manifests come from changes with the agent's configuration, rarely: it is asked once for each commit, and then so seldom. */
const SOURCE_MS = 10 * 60_000;
const MOST_SOURCES = 500;
/** After a question that had no answer. */
const UNTOLD_MS = 60_000;
const UNTOLD: SyncSource = { globs: [], branch: "" };

/** Whose way to which agent. */
export type SyncsAccess = Pick<KasAccess, "credentialKey" | "agentId" | "kas" | "reading">;

/** The same, with a word of ours beside. */
export type WholeAccess = SyncsAccess & Pick<KasAccess, "kasSaying">;

/** From where a sync takes its manifests. */
export type SyncSource = Pick<WholeSync, "globs" | "branch">;

/** What is known of an agent's syncs. */
export interface KnownSyncs {
  readonly syncs: readonly SyncRecord[];
  /** When that was read, if nobody could say it since. */
  readonly asOfMs: number | undefined;
}

interface Known {
  readonly reading: KnownSyncs | undefined;
  readonly atMs: number;
  readonly askedAtMs: number;
  /** It stands so long. */
  readonly freshMs: number;
}

/** What syncs are asked with. */
interface GitopsSyncsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** How often an open page asks, in milliseconds. */
  readonly pollMs: number;
  /** Absent: nobody is told of files. */
  readonly readers?: ReaderWord | undefined;
}

/** The syncs of agents, as kas tells them to each viewer: what one is told is never shown to another. */
export class GitopsSyncs {
  readonly commits: SyncCommits;
  /** An open page asks this often, in milliseconds. */
  readonly pollMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** What was read stands so long. */
  readonly #freshMs: number;
  /** By credential and agent. */
  readonly #known = new LRUCache<string, Known>({ max: MOST_READINGS });
  /** At most one for each viewer and agent. */
  readonly #underWay = new Map<string, Promise<KnownSyncs | undefined>>();

  readonly #readers: ReaderWord | undefined;
  /** By credential, agent and project. */
  readonly #whole: FreshAnswers<WholeSync | undefined>;
  /** By credential, agent, project and commit. */
  readonly #sources: FreshAnswers<SyncSource>;

  constructor({ clock, log, pollMs, readers }: GitopsSyncsOptions) {
    this.pollMs = pollMs;
    this.#freshMs = Math.floor(pollMs * FRESH);
    this.#whole = new FreshAnswers(clock, MOST_WHOLE);
    this.#sources = new FreshAnswers(clock, MOST_SOURCES);
    this.#clock = clock;
    this.#log = log;
    this.#readers = readers;
    this.commits = new SyncCommits(clock);
  }

  /** What is known already. */
  last(access: SyncsAccess): KnownSyncs | undefined {
    return this.#known.get(keyOf(access))?.reading;
  }

  /** The syncs, asked less than a period ago, or ten minutes where there are none to tell; what was known last while nobody answers; `undefined` when nothing ever was. */
  async read(access: SyncsAccess): Promise<KnownSyncs | undefined> {
    const key = keyOf(access);
    const known = this.#known.get(key);
    const ageMs = known === undefined ? 0 : this.#clock.now() - known.askedAtMs;
    if (known !== undefined && ageMs >= 0 && ageMs < known.freshMs) return known.reading;
    return this.#underWay.get(key) ?? this.#ask(key, access);
  }

  /**
   * All that kas knows of a sync, for a viewer who may read its manifests, asked less than a period ago. The caller has seen to that he may: by a commit
   * that the main application has shown him. Never rejects.
   */
  async whole(access: WholeAccess, project: string): Promise<WholeSync | undefined> {
    const readers = this.#readers;
    if (readers === undefined) return undefined;
    return this.#whole.read(`${keyOf(access)}\0${project}`, async () => {
      return { answer: await this.#askWhole(access, { project, readers }), freshMs: this.#freshMs };
    });
  }

  /** From where a sync takes its manifests, for whom and under which condition as `whole`; empty while nobody says. Never rejects. */
  source(access: WholeAccess, { project, sha }: { readonly project: string; readonly sha: string }): Promise<SyncSource> {
    return this.#sources.read(`${keyOf(access)}\0${project}\0${sha}`, async () => {
      const { globs, branch } = (await this.whole(access, project)) ?? UNTOLD;
      return { answer: { globs, branch }, freshMs: globs.length === 0 ? UNTOLD_MS : SOURCE_MS };
    });
  }

  async #askWhole(
    access: WholeAccess,
    { project, readers }: { readonly project: string; readonly readers: ReaderWord },
  ): Promise<WholeSync | undefined> {
    try {
      const word = await readers.headers({ agentId: access.agentId, project });
      return await askWhole({ kas: access.kasSaying(word), reading: access.reading }, project, AbortSignal.timeout(LIMIT_MS));
    } catch (error) {
      if (error instanceof UnreadableSyncs) this.#log.warn({ error, agentId: String(access.agentId) }, "kas tells no whole sync");
      else if (!(error instanceof KubeClientError)) this.#log.error({ error }, "a whole sync was not read");
      return undefined;
    }
  }

  #ask(key: string, access: SyncsAccess): Promise<KnownSyncs | undefined> {
    // Shared by all who wait for it: nobody's leaving may abort it.
    const asking = askKas(access, AbortSignal.timeout(LIMIT_MS))
      .then((answer) => {
        // Who is told nothing any more keeps nothing.
        const syncs = answer.kind === "told" ? answer.syncs : [];
        const nowMs = this.#clock.now();
        const freshMs = answer.kind === "told" ? this.#freshMs : NOTHING_MS;
        return this.#keep(key, { reading: { syncs, asOfMs: undefined }, atMs: nowMs, freshMs });
      })
      .catch((error: unknown) => {
        if (error instanceof UnreadableSyncs) this.#log.warn({ error, agentId: String(access.agentId) }, "kas' syncs cannot be read");
        else if (!(error instanceof KubeClientError)) this.#log.error({ error }, "kas' syncs were not read");
        const before = this.#known.get(key);
        const atMs = before?.atMs ?? this.#clock.now();
        return this.#keep(key, { reading: before?.reading && { ...before.reading, asOfMs: atMs }, atMs, freshMs: this.#freshMs });
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }

  #keep(key: string, known: Omit<Known, "askedAtMs">): KnownSyncs | undefined {
    this.#known.set(key, { ...known, askedAtMs: this.#clock.now() });
    return known.reading;
  }
}

function keyOf({ credentialKey, agentId }: SyncsAccess): string {
  return `${credentialKey}\0${agentId}`;
}
