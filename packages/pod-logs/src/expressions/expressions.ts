import type { Clock } from "@binnacle/rpc";

import { LogFilterError, type LogFilterInit } from "../filter/filter-init.ts";
import type { MatchRange } from "../filter/text-search.ts";
import { SearchQueue, type SearchJob } from "./search-queue.ts";
import { encodeLines, type ThreadAnswer, type ThreadRequest } from "./thread-message.ts";

/** A thread that was started. */
export interface SearchThread {
  send(request: ThreadRequest, moved: ArrayBuffer[]): void;
  end(): void;
}

/** What a thread calls. */
export interface ThreadEvents {
  readonly answered: (answer: ThreadAnswer) => void;
  /** It answers nothing any more. */
  readonly died: () => void;
}

/** What expressions are searched with. */
export interface ExpressionsOptions {
  readonly clock: Clock;
  /** Starts a thread that answers with `RequestAnswerer`. May throw. */
  readonly startThread: (events: ThreadEvents) => SearchThread;
}

/** An expression to search with. */
export interface Expression {
  readonly pattern: string;
  readonly matchesCase: boolean;
}

/** One search: its requests have their turn beside those of others, and one after the other. */
export interface ExpressionSearch {
  /** 1 for each line that matches. @throws LogFilterError. The reason of `signal` */
  test(lines: readonly string[], signal: AbortSignal): Promise<Uint8Array>;
  /** At most `max` ≤ 255 places of each line. @throws LogFilterError. The reason of `signal` */
  ranges(lines: readonly string[], max: number, signal: AbortSignal): Promise<readonly MatchRange[][]>;
}

/** Compiles the expression of a filter, if it has one. @throws as `Expressions.check` */
export async function checkExpression(filter: LogFilterInit, expressions: Expressions, signal: AbortSignal): Promise<void> {
  const { pattern = "", isRegularExpression = false, matchesCase = false } = filter;
  if (pattern !== "" && isRegularExpression) await expressions.check({ pattern, matchesCase }, signal);
}

const START_LIMIT_MS = 10_000;
/** A slice ends after 20 ms and one line: a thread that needs longer for it is ended. */
const RUN_LIMIT_MS = 1_000;
const IDLE_MS = 30_000;
/** Requests that are with the thread: one is searched, the next one is there when it has ended. */
const MAX_SENT = 2;
/** Expressions that ended a thread are rejected at once for so long: the cause may have been a machine without time. */
const REJECT_MS = 60_000;
const MAX_REMEMBERED = 100;

/**
 * Runs expressions in one thread for all searches of a process or page: several lines per message, searches in turn, so that a slow one delays
 * no other for longer than a slice. A thread that takes longer than a second for a line, or dies, is replaced; the search that it was working on
 * ends with a LogFilterError, others go on.
 */
export class Expressions {
  readonly #options: ExpressionsOptions;
  readonly #queue = new SearchQueue();
  /** What the thread has not answered, in the order of sending. */
  readonly #sent: SearchJob[] = [];
  /** Why expressions are not tried again for now, by their key. */
  readonly #harmful = new Map<string, { readonly harm: string; readonly untilMs: number }>();
  #thread: SearchThread | undefined;
  #isReady = false;
  /** Raised with every thread: messages of earlier ones are ignored. */
  #generation = 0;
  #lastId = 0;
  #cancelTimer = (): void => {};
  #isClosed = false;

  constructor(options: ExpressionsOptions) {
    this.#options = options;
  }

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Requests that wait for the thread, or are with it. */
  get pending(): number {
    return this.#queue.size + this.#sent.length;
  }

  /** Compiles an expression. @throws LogFilterError when it cannot be used, with unsupported syntax named. The reason of `signal` */
  async check(expression: Expression, signal: AbortSignal): Promise<void> {
    await this.#run({ expression, search: {}, maxRanges: 0, lines: [], signal });
  }

  /** Begins a search; nothing runs before it is used. */
  open(expression: Expression): ExpressionSearch {
    const search = {};
    return {
      test: async (lines, signal) => (await this.#run({ expression, search, maxRanges: 0, lines, signal })).counts,
      ranges: async (lines, maxRanges, signal) => rangesOf(await this.#run({ expression, search, maxRanges, lines, signal })),
    };
  }

  /** Ends the thread; searches end with a LogFilterError. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const job of [...this.#sent.splice(0), ...this.#queue.clear()]) job.reject(new LogFilterError("the search has ended"));
  }

  #run(request: Pick<SearchJob, "expression" | "search" | "maxRanges" | "lines" | "signal">): Promise<SearchJob> {
    const { signal, expression, lines } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    const harm = this.#isClosed ? "the search has ended" : this.#harmOf(expression);
    if (harm !== undefined) return Promise.reject(new LogFilterError(harm));
    return new Promise((resolve, reject) => {
      const settle = (): void => signal.removeEventListener("abort", abort);
      const job: SearchJob = {
        ...request,
        counts: new Uint8Array(lines.length),
        places: [],
        done: 0,
        resolve: () => {
          settle();
          resolve(job);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const abort = (): void => {
        this.#queue.remove(job);
        job.reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      if (this.#queue.push(job)) this.#next();
      else job.reject(new LogFilterError("too many lines wait to be searched"));
    });
  }

  #next(): void {
    if (this.#isClosed || this.#queue.size === 0) return;
    if (this.#thread === undefined) return this.#start();
    if (!this.#isReady) return;
    while (this.#sent.length < MAX_SENT) {
      const job = this.#queue.take();
      if (job === undefined) return;
      this.#send(job);
    }
  }

  #send(job: SearchJob): void {
    this.#lastId += 1;
    const { bytes, lengths } = encodeLines(job.done === 0 ? job.lines : job.lines.slice(job.done));
    if (this.#sent.push(job) === 1) this.#limit(RUN_LIMIT_MS);
    const request = { id: this.#lastId, ...job.expression, maxRanges: job.maxRanges, bytes, lengths };
    this.#thread?.send(request, [bytes.buffer, lengths.buffer]);
  }

  #start(): void {
    const generation = (this.#generation += 1);
    const isCurrent = (): boolean => generation === this.#generation;
    this.#limit(START_LIMIT_MS);
    try {
      this.#thread = this.#options.startThread({
        answered: (answer) => isCurrent() && this.#receive(answer),
        died: () => isCurrent() && this.#lose("it takes too much memory, or the search has failed"),
      });
    } catch {
      this.#lose("");
    }
  }

  #receive(answer: ThreadAnswer): void {
    if (answer === "ready") this.#isReady = true;
    else this.#settle(answer);
    if (this.#sent.length > 0) this.#limit(RUN_LIMIT_MS);
    else this.#limitIdle();
    this.#next();
  }

  #settle(answer: Exclude<ThreadAnswer, "ready">): void {
    const job = this.#sent.shift();
    if (job === undefined || job.signal.aborted) return;
    if ("problem" in answer) return job.reject(new LogFilterError(answer.problem));
    job.counts.set(answer.counts, job.done);
    for (const place of answer.places) job.places.push(place);
    job.done += answer.counts.length;
    if (job.done >= job.lines.length) job.resolve();
    else this.#queue.putBack(job);
  }

  #limit(delayMs: number): void {
    const { clock } = this.#options;
    this.#cancelTimer();
    // When this thread was blocked, the answer may be here already: messages come first.
    this.#cancelTimer = clock.after(delayMs, () => {
      this.#cancelTimer = clock.after(0, () => this.#lose("it takes more than a second for a line"));
    });
  }

  #limitIdle(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.after(IDLE_MS, () => this.#drop());
  }

  /** The thread is gone: what it was working on is not tried again. */
  #lose(harm: string): void {
    const wasReady = this.#isReady;
    this.#drop();
    if (!wasReady) {
      for (const job of this.#queue.clear()) job.reject(new LogFilterError("the search could not be started"));
      return;
    }
    const culprit = this.#sent.shift();
    for (const job of this.#sent.splice(0)) if (!job.signal.aborted) this.#queue.putBack(job);
    if (culprit !== undefined) {
      this.#remember(culprit.expression, harm);
      culprit.reject(new LogFilterError(harm));
    }
    this.#next();
  }

  #harmOf(expression: Expression): string | undefined {
    const known = this.#harmful.get(keyOf(expression));
    return known !== undefined && known.untilMs > this.#options.clock.now() ? known.harm : undefined;
  }

  #remember(expression: Expression, harm: string): void {
    const key = keyOf(expression);
    this.#harmful.delete(key);
    this.#harmful.set(key, { harm, untilMs: this.#options.clock.now() + REJECT_MS });
    const [oldest] = this.#harmful.keys();
    if (this.#harmful.size > MAX_REMEMBERED && oldest !== undefined) this.#harmful.delete(oldest);
  }

  #drop(): void {
    this.#generation += 1;
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    this.#thread?.end();
    this.#thread = undefined;
    this.#isReady = false;
  }
}

function keyOf({ pattern, matchesCase }: Expression): string {
  return `${matchesCase} ${pattern}`;
}

function rangesOf({ counts, places }: Pick<SearchJob, "counts" | "places">): MatchRange[][] {
  let at = 0;
  return Array.from(counts, (count) => {
    const ranges = Array.from({ length: count }, (_, n) => ({ start: places[at + 2 * n] ?? 0, end: places[at + 2 * n + 1] ?? 0 }));
    at += 2 * count;
    return ranges;
  });
}
