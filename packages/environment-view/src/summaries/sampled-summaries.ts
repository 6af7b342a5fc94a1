import type { CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { ViewLog } from "../base/view-log.ts";
import { RulesOfScopes, type HeldRules } from "../engine/rules-of-scopes.ts";
import type { OpenHealthRules } from "../scope/scope-rules.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import { KubeClientError, type KubeClient } from "../base/kube-client.ts";
import { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import { ObjectKeeper } from "../objects/object-keeper.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { Alarm } from "./alarm.ts";
import { readCluster, type ClusterReading } from "./cluster-reading.ts";
import { KindCensus } from "./kind-census.ts";
import { NO_LIVE_SUMMARIES, type LiveSummaries } from "./live-summaries.ts";
import { MissingDoubts } from "./missing-doubts.ts";
import { NamespaceLooks } from "./namespace-looks.ts";
import { PacedLists } from "./paced-lists.ts";
import type { RequestPace } from "../limits/request-pace.ts";
import { SampledCertificates } from "./sampled-certificates.ts";
import { judgeScope, type ScopeJudgeOptions, type ScopeReading, type ScopeVerdict } from "./scope-judge.ts";
import { SummaryBoard } from "./summary-board.ts";
import {
  scopeKeyOf,
  type Summary,
  type SummaryFacts,
  type SummaryGap,
  type SummaryRequest,
  type SummarySource,
  type SummarySubscription,
} from "./summary-source.ts";

/** The whole cluster is looked at this often. */
const EVERY_MS = 30_000;
/** A look may take this part of the time: the longer it takes, the more seldom it is. */
const MAX_OF_TIME = 1 / 3;
/** The time between two samples is reported in steps of this, so that it is not a change each time. */
const STEP_MS = 10_000;
/** Scopes that join are looked at soon, together with those that join a moment later. */
const JOIN_MS = 1_000;
/** An identity that may not list everywhere, or a cluster too large for it, is tried again after this. */
const ASK_AGAIN_MS = 300_000;
/** A look waits at most so long in all for certificates of which nothing is known: at the pace of samples most are read by then. */
const CERTIFICATES_MS = 5_000;
/** The event loop is given back after this. */
const TURN_MS = 8;
/** Objects of a scope that are judged in one turn at most. */
const MAX_OBJECTS = 20_000;

const TOO_LARGE: SummaryGap = { kind: "too_large", words: words("summary/too-large") };

/** What samples are made with. */
export interface SampledSummariesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Requests to this agent that are made for the samples of any reader. */
  readonly pace: RequestPace;
  /** What is held while a look lasts; between two looks it is empty. */
  readonly budget: ByteBudget;
  readonly rules?: HealthRules;
  readonly customEdges?: readonly CustomEdgeRule[];
  /** Prepares the rules of a scope; absent: rules of scopes are not evaluated. */
  readonly openHealthRules?: OpenHealthRules;
  /** Scopes that are open anyway. */
  readonly live?: LiveSummaries;
  /** Called with a summary that is dropped because no reader wants it any more. */
  readonly forgotten?: (summary: Summary) => void;
  readonly log?: ViewLog;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
}

/**
 * Summaries by samples: no watch, only lists, at the pace and within the bytes that it is given. For a client that may list everywhere all
 * scopes are read together every 30 s; for others one namespace is read after the other. Objects are judged by the rules of
 * the environment page and then let go of.
 */
export class SampledSummaries implements SummarySource {
  readonly #options: SampledSummariesOptions;
  readonly #monitor: ConnectionMonitor;
  readonly #board: SummaryBoard;
  readonly #lists: PacedLists;
  readonly #census: KindCensus;
  readonly #keeper: ObjectKeeper;
  readonly #alarm: Alarm;
  readonly #looks: NamespaceLooks;
  readonly #doubts: MissingDoubts;
  readonly #live: LiveSummaries;
  readonly #certificates: SampledCertificates;
  readonly #judging: Pick<ScopeJudgeOptions, "isWhole" | "now" | "certificateOf">;
  readonly #rules: RulesOfScopes;
  /** Rules of the scopes that are wanted, by id; those without any under "". */
  readonly #held = new Map<string, HeldRules>();
  #kinds: readonly ResourceKind[] | undefined;
  #etag: string | undefined;
  #turnBeganMs = 0;

  constructor(options: SampledSummariesOptions) {
    this.#options = options;
    const { client, clock, pace, rules, customEdges = [], openHealthRules, random, live = NO_LIVE_SUMMARIES } = options;
    const keeper = new ObjectKeeper({ rules, customEdges });
    this.#keeper = keeper;
    this.#live = live;
    this.#rules = new RulesOfScopes({ rules, customEdges, openHealthRules, keeper });
    this.#certificates = new SampledCertificates({ client, clock, pace, kinds: () => this.#kinds });
    const isWhole = (object: KubeObject): boolean => keeper.isWhole(object);
    this.#judging = { isWhole, now: () => clock.now() + (client.aheadMs ?? 0), certificateOf: this.#certificates.answerOf };
    this.#alarm = new Alarm(clock);
    this.#lists = new PacedLists({ client, clock, pace });
    this.#census = new KindCensus(clock, this.#lists);
    this.#doubts = new MissingDoubts(this.#lists);
    this.#monitor = new ConnectionMonitor({
      clock,
      prove: (signal) => this.#discover(signal),
      changed: () => this.#board.setConnection(this.#monitor.connection),
      ...(random === undefined ? {} : { random }),
    });
    this.#board = new SummaryBoard(this.#monitor.connection, this.#alarm.ring, options.forgotten);
    this.#looks = new NamespaceLooks({
      ...options,
      board: this.#board,
      lists: this.#lists,
      keeper,
      kinds: () => this.#kinds ?? [],
      judge: (reading) => this.#judge(reading),
      isLive: (scope) => this.#putLive(scope),
      alarm: this.#alarm,
    });
  }

  /** Works until `signal` aborts and nothing is under way. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    this.#certificates.start(signal);
    const endLive = this.#live.onChange((scope) => this.#liveChanged(scope));
    try {
      await Promise.all([this.#monitor.run(signal), this.#sample(signal)]);
    } finally {
      endLive();
      this.#letGo(new Set());
    }
  }

  open(request: SummaryRequest, ready: () => void): SummarySubscription {
    const reader = this.#board.add(request, ready);
    const prepare = ({ scopes }: SummaryRequest): void => {
      this.#live.want?.([...this.#board.wanted().values()]);
      for (const scope of scopes) this.#putLive(scope);
      // Before a look reads anything: what their rules read is to be kept.
      for (const scope of scopes) this.#rulesOf(scope);
    };
    prepare(request);
    return {
      take: () => this.#board.take(reader),
      want: (other) => {
        this.#board.want(reader, other);
        prepare(other);
      },
      close: () => {
        this.#board.remove(reader);
        this.#live.want?.([...this.#board.wanted().values()]);
      },
    };
  }

  /** The summary of a scope, also of one that is not wanted at the moment. */
  lastOf(scope: ViewScope): Summary | undefined {
    return this.#board.of(scopeKeyOf(scope));
  }

  /** All known summaries, also of scopes that are not wanted at the moment. */
  all(): readonly Summary[] {
    return this.#board.all();
  }

  /** Proves the connection now: a new credential may carry what the last one could not. */
  wake(): void {
    if (this.#monitor.connection.state !== "connected") this.#monitor.suspect();
  }

  async #discover(signal: AbortSignal): Promise<void> {
    await this.#options.pace.turn(signal);
    const found = await this.#options.client.discover(this.#etag, signal);
    if (!found) return;
    this.#etag = found.etag;
    this.#kinds = found.kinds;
    this.#census.keep(found.kinds);
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const backoff = new Backoff({ initialMs: 1_000, maxMs: 15_000, ...(random === undefined ? {} : { random }) });
    while (!signal.aborted) {
      if (this.#kinds === undefined) await this.#monitor.proven(signal);
      if (this.#kinds === undefined) await sleep(clock, backoff.nextMs(), signal);
      else if (this.#board.wanted().size === 0) await this.#alarm.wait(EVERY_MS, signal);
      else {
        try {
          await this.#look(this.#kinds, signal);
          backoff.reset();
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof KubeClientError)) throw error;
          await this.#failed(error, backoff, signal);
        }
      }
    }
  }

  /** One look at everything, and the wait until the next; or, for those who may not, many looks. */
  async #look(kinds: readonly ResourceKind[], signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    this.#board.prune();
    this.#letGo(new Set([...this.#board.wanted().values()].map(({ rules }) => rules?.id ?? "")));
    this.#certificates.keep(this.#board.wanted());
    await this.#live.settled?.(signal);
    const beganMs = clock.now();
    const wanted = [...this.#board.wanted().values()];
    let scopes = wanted.filter((scope) => !this.#putLive(scope));
    // All of them are live: nothing is read, and only changes matter.
    if (scopes.length === 0) return this.#untilNextLook(wanted, beganMs + EVERY_MS, signal);
    let reading = await this.#read(kinds, scopes, signal);
    const parts = scopes.filter(({ namespaces }) => namespaces.length > 0);
    if (reading.kind === "too_large" && parts.length < scopes.length) {
      // One that is the whole cluster must not take the others' place.
      for (const scope of scopes) if (scope.namespaces.length === 0) this.#board.miss(scope, TOO_LARGE);
      this.#board.announce();
      scopes = parts;
      reading = await this.#read(kinds, scopes, signal);
    }
    if (reading.kind === "read") {
      // However long the reading took: from its beginning on, nothing newer is known of anything.
      const everyMs = Math.max(EVERY_MS, Math.ceil((clock.now() - beganMs) / MAX_OF_TIME / STEP_MS) * STEP_MS);
      try {
        await this.#judgeAll(reading, { kinds, scopes, beganMs, everyMs }, signal);
      } finally {
        reading.close();
      }
      await this.#untilNextLook(scopes, beganMs + everyMs, signal);
      return;
    }
    log?.debug({ why: reading.kind, scopes: scopes.length }, "an index looks at one namespace after the other");
    await this.#looks.run(clock.now() + ASK_AGAIN_MS, signal);
    this.#census.forget();
  }

  #read(kinds: readonly ResourceKind[], scopes: readonly ViewScope[], signal: AbortSignal): ReturnType<typeof readCluster> {
    const { budget } = this.#options;
    return readCluster({ kinds, scopes, lists: this.#lists, census: this.#census, keeper: this.#keeper, budget }, signal);
  }

  async #judgeAll(
    reading: ClusterReading,
    look: {
      readonly kinds: readonly ResourceKind[];
      readonly scopes: readonly ViewScope[];
      readonly beganMs: number;
      readonly everyMs: number;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { kinds, scopes, beganMs: asOfMs, everyMs } = look;
    this.#doubts.begin(scopes);
    const certificatesMs = this.#options.clock.now() + CERTIFICATES_MS;
    for (const scope of scopes) {
      if (signal.aborted) return;
      if (this.#putLive(scope)) continue;
      const objects = reading.objectsOf(scope);
      if (objects.length > MAX_OBJECTS) {
        this.#board.miss(scope, TOO_LARGE);
        continue;
      }
      const read = { scope, kinds, objects, sources: reading.sourcesOf(scope) };
      let verdict = await this.#judgeTwice(read, signal);
      if (verdict !== undefined && (await this.#certificates.firstWordOf(verdict.certificates, certificatesMs, signal)))
        verdict = await this.#judgeTwice(read, signal);
      // In doubt, it stays what it was, with its time.
      if (verdict === undefined) continue;
      const health = reading.hasGaps ? { ...verdict.health, partial: true } : verdict.health;
      const { counts, deployers, images } = verdict;
      const freshness = { kind: "sampled", everyMs } as const;
      const known: SummaryFacts = { health, ...counts, deployers, images, asOfMs, freshness, workloadsOnly: false };
      this.#board.put({ scope, known });
      this.#board.announce();
    }
  }

  /** What seems to be missing now and did not before is looked for again. @returns `undefined` while there is a doubt */
  async #judgeTwice(reading: ScopeReading, signal: AbortSignal): Promise<ScopeVerdict | undefined> {
    const { scope, kinds, objects } = reading;
    const doubts = this.#doubts;
    let verdict = await this.#judge(reading);
    const doubted = doubts.of(scope, verdict.missing);
    if (doubted.length > 0) {
      const again = await doubts.read(doubted, kinds, signal);
      if (again === undefined || signal.aborted) return undefined;
      this.#census.forget();
      const names = new Set(doubted.map(({ group, kind, namespace, name }) => `${group}/${kind}/${namespace}/${name}`));
      const found = again.flatMap(({ kind, objects: there }) =>
        there.filter(({ metadata }) => names.has(`${kind.group}/${kind.kind}/${metadata.namespace ?? ""}/${metadata.name}`)),
      );
      if (found.length > 0) verdict = await this.#judge({ ...reading, objects: [...objects, ...found] });
    }
    doubts.settle(scope, verdict.missing);
    return verdict;
  }

  /** Judges in turns of the event loop that are short enough for the other work of the process. */
  async #judge(reading: ScopeReading): Promise<ScopeVerdict> {
    const { clock } = this.#options;
    if (Math.abs(clock.now() - this.#turnBeganMs) >= TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#turnBeganMs = clock.now();
    }
    const { rules, customEdges } = this.#rulesOf(reading.scope);
    const verdict = await judgeScope(reading, { ...this.#judging, rules, customEdges });
    this.#certificates.want(scopeKeyOf(reading.scope), verdict.certificates);
    return verdict;
  }

  #rulesOf({ rules }: ViewScope): HeldRules {
    const id = rules?.id ?? "";
    const held = this.#held.get(id) ?? this.#rules.hold(rules);
    this.#held.set(id, held);
    return held;
  }

  /** Only these rules are wanted now. */
  #letGo(wanted: ReadonlySet<string>): void {
    for (const [id, held] of this.#held) {
      if (wanted.has(id)) continue;
      this.#held.delete(id);
      held.release();
    }
  }

  async #untilNextLook(looked: readonly ViewScope[], dueMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const known = new Set(looked.map(scopeKeyOf));
    while (!signal.aborted) {
      const leftMs = dueMs - clock.now();
      // A clock that was put back must not stop the looks until it has caught up.
      if (leftMs <= 0 || leftMs > 10 * EVERY_MS) return;
      await this.#alarm.wait(leftMs, signal);
      if ([...this.#board.wanted().keys()].every((key) => known.has(key))) continue;
      return sleep(clock, JOIN_MS, signal);
    }
  }

  /** @returns whether it is open anyway */
  #putLive(scope: ViewScope): boolean {
    const known = this.#live.liveSummaryOf(scope);
    if (known === undefined) return false;
    this.#board.put({ scope, known });
    this.#board.announce();
    return true;
  }

  #liveChanged(scope: ViewScope): void {
    if (this.#putLive(scope)) return;
    const known = this.#board.of(scopeKeyOf(scope))?.known;
    if (known?.freshness.kind !== "live") return;
    // It is not open any more. Its last summary is still right, but changes are not reported.
    this.#board.put({ scope, known: { ...known, freshness: { kind: "sampled", everyMs: EVERY_MS } } });
    this.#board.announce();
  }

  async #failed(error: KubeClientError, backoff: Backoff, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    log?.debug({ failure: error.failure }, "a look at the scopes of an index failed");
    if (error.failure === "api" || error.failure === "too_large") {
      this.#monitor.answered();
      for (const scope of this.#board.wanted().values()) this.#board.miss(scope, { kind: "failed", words: error.words });
      this.#board.announce();
    } else {
      const proven = this.#monitor.proven(signal);
      this.#monitor.suspect();
      await proven;
    }
    await sleep(clock, backoff.nextMs(), signal);
  }
}
