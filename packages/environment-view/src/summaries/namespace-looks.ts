import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { Alarm } from "./alarm.ts";
import { readNamespace, type NamespaceReading } from "./namespace-reading.ts";
import type { PacedLists } from "./paced-lists.ts";
import type { ScopeReading, ScopeVerdict } from "./scope-judge.ts";
import type { SummaryBoard } from "./summary-board.ts";
import type { SummaryGap } from "./summary-source.ts";

/** Scopes that are looked at at a time. */
const WIDTH = 4;
/** What a look costs, about: five lists at twenty a second. */
const LOOK_MS = 250;

/** What looks are made with. */
export interface NamespaceLooksOptions {
  readonly clock: Clock;
  readonly board: SummaryBoard;
  readonly lists: PacedLists;
  readonly keeper: ObjectKeeper;
  readonly budget: ByteBudget;
  /** What is served now. */
  readonly kinds: () => readonly ResourceKind[];
  readonly judge: (reading: ScopeReading) => Promise<ScopeVerdict>;
  /** Whether a scope is open anyway; then it is not looked at. */
  readonly isLive: (scope: ViewScope) => boolean;
  /** Rings when other scopes are wanted. */
  readonly alarm: Alarm;
}

/** A scope that is looked at by itself. */
export interface Candidate {
  readonly key: string;
  /** When its last look began, milliseconds since the epoch; absent: never. */
  readonly lookedAtMs: number | undefined;
  /** A client shows it on the screen. */
  readonly visible: boolean;
}

/** A scope that is on a screen is read this often, once all have been read. */
const VISIBLE_EVERY_MS = 60_000;
/** No scope is looked at more often. */
const LEAST_EVERY_MS = 30_000;

/** Looks at the workloads of one scope after the other, for an identity that may not list the whole cluster. */
export class NamespaceLooks {
  readonly #options: NamespaceLooksOptions;
  readonly #lookedAtMs = new Map<string, number>();
  readonly #underWay = new Set<string>();

  constructor(options: NamespaceLooksOptions) {
    this.#options = options;
  }

  /**
   * Looks until that moment, or until `signal` aborts.
   *
   * @throws KubeClientError for a failure that is not about one namespace
   */
  async run(untilMs: number, signal: AbortSignal): Promise<void> {
    const { clock, board, alarm } = this.#options;
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const stop = new AbortController();
    const within = AbortSignal.any([signal, stop.signal]);
    const beganMs = clock.now();
    while (!within.aborted && clock.now() < untilMs && clock.now() >= beganMs) {
      const next = running.size < WIDTH ? nextToLookAt(this.#candidates(), clock.now()) : undefined;
      if (next !== undefined && "key" in next) {
        const scope = board.wanted().get(next.key);
        if (scope === undefined) continue;
        this.#lookedAtMs.set(next.key, clock.now());
        this.#underWay.add(next.key);
        const look = this.#look(next.key, scope, within)
          .catch((error: unknown) => {
            failures.push(error);
            this.#lookedAtMs.delete(next.key);
            stop.abort();
          })
          .finally(() => {
            this.#underWay.delete(next.key);
            running.delete(look);
            alarm.ring();
          });
        running.add(look);
      } else {
        await alarm.wait(Math.max(1, Math.min(next?.inMs ?? Number.POSITIVE_INFINITY, untilMs - clock.now())), within);
        board.prune();
        for (const key of this.#lookedAtMs.keys())
          if (board.of(key) === undefined && !this.#underWay.has(key)) this.#lookedAtMs.delete(key);
      }
    }
    await Promise.all(running);
    if (failures.length > 0 && !signal.aborted) throw failures[0];
  }

  *#candidates(): Generator<Candidate> {
    const visible = this.#options.board.visible();
    for (const key of this.#options.board.wanted().keys()) {
      if (!this.#underWay.has(key)) yield { key, lookedAtMs: this.#lookedAtMs.get(key), visible: visible.has(key) };
    }
  }

  async #look(key: string, scope: ViewScope, signal: AbortSignal): Promise<void> {
    const { clock, board, isLive, judge } = this.#options;
    if (isLive(scope)) return;
    const asOfMs = clock.now();
    const [readings, gap] = await this.#read(scope, signal);
    if (signal.aborted) return;
    if (gap !== undefined) board.miss(scope, gap);
    else {
      const [objects, sources] = [readings.flatMap((each) => each.objects), readings.flatMap((each) => each.sources)];
      const { health, counts, deployers, images } = await judge({ scope, kinds: readings[0]?.kinds ?? [], objects, sources });
      const everyMs = board.visible().has(key) ? VISIBLE_EVERY_MS : Math.max(VISIBLE_EVERY_MS, board.wanted().size * LOOK_MS);
      // A mark on what was not looked at is not seen: that there is no tool is not known.
      const found = deployers.tools.length > 0 ? { deployers } : {};
      const freshness = { kind: "sampled", everyMs } as const;
      board.put({ scope, known: { health, ...counts, ...found, images, asOfMs, freshness, workloadsOnly: true } });
    }
    board.announce();
  }

  async #read(scope: ViewScope, signal: AbortSignal): Promise<[NamespaceReading[], SummaryGap | undefined]> {
    const { kinds, lists, keeper, budget } = this.#options;
    if (scope.namespaces.length === 0) return [[], { kind: "too_large", words: words("summary/whole-cluster") }];
    const readings: NamespaceReading[] = [];
    for (const namespace of new Set(scope.namespaces)) {
      const reading = await readNamespace({ namespace, kinds: kinds(), lists, keeper, budget }, signal);
      if (reading.kind !== "read") return [[], reading];
      readings.push(reading);
    }
    return [readings, undefined];
  }
}

/**
 * The next scope to read: first those that are unknown, what is on a screen before the rest in the order given; then what is on a screen and
 * a minute old, then the oldest. While any scope is unknown, none is read twice: refreshing a screen must not delay the others.
 *
 * @returns the key, or after how many milliseconds to ask again
 */
export function nextToLookAt(candidates: Iterable<Candidate>, nowMs: number): { readonly key: string } | { readonly inMs: number } {
  let best: { key: string; rank: number; atMs: number } | undefined;
  let soonestMs = nowMs + LEAST_EVERY_MS;
  for (const { key, lookedAtMs, visible } of candidates) {
    // A clock that was put back: what lies in the future is as good as never.
    const atMs = lookedAtMs === undefined || lookedAtMs > nowMs ? 0 : lookedAtMs;
    const dueMs = atMs === 0 ? 0 : atMs + (visible ? VISIBLE_EVERY_MS : LEAST_EVERY_MS);
    if (dueMs > nowMs) {
      soonestMs = Math.min(soonestMs, dueMs);
      continue;
    }
    const rank = (atMs === 0 ? 2 : 0) + (visible ? 1 : 0);
    if (best === undefined || rank > best.rank || (rank === best.rank && atMs < best.atMs)) best = { key, rank, atMs };
  }
  return best === undefined ? { inMs: Math.max(1, soonestMs - nowMs) } : { key: best.key };
}
