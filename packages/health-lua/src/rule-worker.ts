import { Worker } from "node:worker_threads";

import type { Clock } from "./clock.ts";
import { TenantQueues, type QueuedRun } from "./tenant-queues.ts";
import type { RuleAnswer, WorkerData, WorkerMessage, RuleBatch, RuleJob, RuleLanguage } from "./worker-message.ts";

const START_LIMIT_MS = 10_000;
const RUN_LIMIT_MS = 250;

/** Outcome of a run: an answer of the sandbox, or why there is none. */
export type RunOutcome = RuleAnswer | { readonly tag: "timeout" | "lost" | "unstarted" | "closed" | "disabled" | "busy" };

interface Waiting extends QueuedRun {
  readonly job: WorkerJob;
  readonly resolve: (outcome: RunOutcome) => void;
}

/** A run that a caller waits for. */
interface WorkerJob {
  readonly language: RuleLanguage;
  /** The script, or the expressions as JSON. */
  readonly text: string;
  /** The object as JSON. */
  readonly json: string;
}

/** 64 runs of Lua take about 20 ms. */
const MAX_BATCH = 64;
const MAX_JSON_LENGTH = 4 * 1024 * 1024;

/**
 * Runs jobs one after another in a worker thread, many of one tenant per message; ends the thread when one of them takes too long, and
 * starts another for the jobs that were with it. The thread ends a batch soon after its slice of time is over, so that between the
 * runs of others a tenant never waits longer than one run may take.
 */
export class RuleWorker {
  readonly #clock: Clock;
  readonly #startThread: (workerData: WorkerData) => Worker;
  readonly #begun = new SharedArrayBuffer(4);
  readonly #waiting = new TenantQueues<Waiting>();
  #isScheduled = false;
  #cancelWait: (() => void) | undefined;
  /** For whom the thread works, and since when; until it is ready again. */
  #serving: { readonly tenant: string; readonly sinceMs: number } | undefined;
  /** What the worker has been sent and has not answered, in order. */
  #sent: Waiting[] = [];
  /** How many runs of the batch were answered. */
  #answered = 0;
  #worker: Worker | undefined;
  #ready = false;
  /** Whether this thread has ever been ready. */
  #proven = false;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  /** @param startThread for tests: another thread that speaks the protocol of worker-message.ts */
  constructor(clock: Clock, startThread: (workerData: WorkerData) => Worker = startRuleThread) {
    this.#clock = clock;
    this.#startThread = startThread;
  }

  /** Queues a job. Always resolves; as busy when too many jobs of the tenant wait. @param tenant opaque */
  run(job: WorkerJob, tenant = ""): Promise<RunOutcome> {
    if (this.#closed) return Promise.resolve({ tag: "closed" });
    return new Promise((resolve) => {
      if (!this.#waiting.push({ job, resolve, tenant, chars: job.json.length })) return resolve({ tag: "busy" });
      // Jobs that are requested in one turn are sent together.
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      queueMicrotask(() => this.#next());
    });
  }

  /** Jobs of this rule of this tenant that have not begun resolve as disabled. */
  disable(text: string, tenant = ""): void {
    const refused = this.#waiting.remove((waiting) => waiting.job.text === text && waiting.tenant === tenant);
    resolveAll(refused, { tag: "disabled" });
  }

  /** Ends the thread; jobs that wait resolve as closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#drop();
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    resolveAll([...this.#sent.splice(0), ...this.#waiting.remove(() => true)], { tag: "closed" });
    await worker?.terminate();
  }

  #next(): void {
    this.#isScheduled = false;
    const waitMs = this.#waiting.waitMs(this.#clock.now());
    if (this.#closed || this.#sent.length > 0 || waitMs === undefined) return;
    if (waitMs > 0) return this.#nextAfter(waitMs);
    if (this.#worker === undefined) return this.#start();
    if (!this.#ready) return;
    const runs = this.#waiting.take(MAX_BATCH, this.#clock.now());
    const { batch, count } = batchOf(runs.map(({ job }) => job));
    this.#sent = runs.slice(0, count);
    this.#waiting.putBack(runs.slice(count));
    this.#serving = { tenant: runs[0]?.tenant ?? "", sinceMs: this.#clock.now() };
    this.#answered = 0;
    this.#ready = false;
    Atomics.store(new Int32Array(this.#begun), 0, -1);
    this.#worker.ref();
    this.#limit(RUN_LIMIT_MS, "timeout");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(batch);
  }

  #nextAfter(waitMs: number): void {
    this.#cancelWait ??= this.#clock.after(waitMs, () => {
      this.#cancelWait = undefined;
      this.#next();
    });
  }

  #start(): void {
    const worker = this.#startThread({ begun: this.#begun });
    this.#worker = worker;
    worker.on("message", (message: WorkerMessage) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on("error", () => this.#lose(worker, "lost"));
    worker.on("exit", () => this.#lose(worker, "lost"));
    this.#limit(START_LIMIT_MS, "lost");
  }

  #receive(message: WorkerMessage): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (message.type === "ready") {
      this.#ready = true;
      this.#proven = true;
      // Also what the tenant's run cost beside its own time: another thread, or another VM.
      if (this.#serving) this.#waiting.charge(this.#serving.tenant, this.#clock.now() - this.#serving.sinceMs);
      this.#serving = undefined;
      if (this.#waiting.size === 0) this.#worker?.unref();
      return this.#next();
    }
    this.#answered += message.answers.length;
    const answered = this.#sent.splice(0, message.answers.length);
    if (message.done) this.#waiting.putBack(this.#sent.splice(0));
    // Between the last answer and "ready" the worker may build a new VM: that, too, must end.
    this.#limit(message.done ? START_LIMIT_MS : RUN_LIMIT_MS, message.done ? "lost" : "timeout");
    for (const [place, answer] of message.answers.entries()) answered[place]?.resolve(answer);
  }

  #limit(delayMs: number, tag: "timeout" | "lost"): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    let over = false;
    // When this thread was blocked, the answer may be here already: look at messages first.
    const cancel = this.#clock.after(delayMs, () => setImmediate(() => over || this.#lose(worker, tag)));
    this.#cancelTimer?.();
    this.#cancelTimer = () => {
      over = true;
      cancel();
    };
  }

  #lose(worker: Worker, tag: "timeout" | "lost"): void {
    if (this.#worker !== worker) return;
    const proven = this.#proven;
    this.#drop();
    void worker.terminate();
    // Threads that do not even start would be started again and again.
    if (!proven)
      return resolveAll(
        this.#waiting.remove(() => true),
        { tag: "unstarted" },
      );
    const culprit = this.#culprit();
    this.#waiting.putBack(this.#sent.splice(0));
    culprit?.resolve({ tag });
    this.#next();
  }

  // The run that had begun counts as failed; the others of its batch run again.
  #culprit(): Waiting | undefined {
    const begun = Atomics.load(new Int32Array(this.#begun), 0) - this.#answered;
    return this.#sent.splice(Math.min(Math.max(begun, 0), this.#sent.length - 1), 1)[0];
  }

  #drop(): Worker | undefined {
    const worker = this.#worker;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#worker = undefined;
    this.#ready = false;
    this.#proven = false;
    return worker;
  }
}

function resolveAll(waiting: readonly Waiting[], outcome: RunOutcome): void {
  for (const { resolve } of waiting) resolve(outcome);
}

// The URL is written so that bundlers find the file.
function startRuleThread(workerData: WorkerData): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    execArgv: [],
    env: {},
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
}

/** The next jobs as one message, at least one and at most 64 or 4 Mi characters of objects; each rule is written once. */
export function batchOf(waiting: readonly WorkerJob[]): { readonly batch: RuleBatch; readonly count: number } {
  const places = new Map<string, number>();
  const rules: RuleBatch["rules"][number][] = [];
  const jobs: RuleJob[] = [];
  let length = 0;
  for (const { language, text, json } of waiting.slice(0, MAX_BATCH)) {
    length += json.length;
    if (jobs.length > 0 && length > MAX_JSON_LENGTH) break;
    const key = `${language} ${text}`;
    const place = places.get(key) ?? rules.push({ language, text }) - 1;
    places.set(key, place);
    jobs.push({ rule: place, json });
  }
  return { batch: { rules, jobs }, count: jobs.length };
}
