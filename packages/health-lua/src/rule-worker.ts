import { Worker } from "node:worker_threads";

import type { Clock } from "@binnacle/rpc";

import { batchOf, MAX_BATCH, type WorkerJob } from "./rule-batch.ts";
import type { RuleAnswer, WorkerData, WorkerMessage } from "./worker-message.ts";

const START_LIMIT_MS = 10_000;
const RUN_LIMIT_MS = 250;

/** Outcome of a run: an answer of the sandbox, or why there is none. */
export type RunOutcome = RuleAnswer | { readonly tag: "timeout" | "lost" | "unstarted" | "closed" | "disabled" };

interface Waiting {
  readonly job: WorkerJob;
  readonly resolve: (outcome: RunOutcome) => void;
}

/**
 * Runs jobs one after another in a worker thread, many per message; ends the thread when one of them takes too long, and starts another
 * for the jobs that were with it.
 */
export class RuleWorker {
  readonly #clock: Clock;
  readonly #startThread: (workerData: WorkerData) => Worker;
  readonly #begun = new SharedArrayBuffer(4);
  #waiting: Waiting[] = [];
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

  /** Queues a job. Always resolves. */
  run(job: WorkerJob): Promise<RunOutcome> {
    if (this.#closed) return Promise.resolve({ tag: "closed" });
    return new Promise((resolve) => {
      this.#waiting.push({ job, resolve });
      // Jobs that are asked for in one turn travel together.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next());
    });
  }

  /** Jobs of this rule that have not begun resolve as disabled. */
  disable(text: string): void {
    const [refused, others] = [this.#waiting.filter(({ job }) => job.text === text), this.#waiting.filter(({ job }) => job.text !== text)];
    this.#waiting = others;
    resolveAll(refused, { tag: "disabled" });
  }

  /** Ends the thread; jobs that wait resolve as closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#drop();
    resolveAll([...this.#sent.splice(0), ...this.#waiting.splice(0)], { tag: "closed" });
    await worker?.terminate();
  }

  #next(): void {
    if (this.#closed || this.#sent.length > 0 || this.#waiting.length === 0) return;
    if (this.#worker === undefined) return this.#start();
    if (!this.#ready) return;
    const { batch, count } = batchOf(this.#waiting.slice(0, MAX_BATCH).map(({ job }) => job));
    this.#sent = this.#waiting.splice(0, count);
    this.#answered = 0;
    this.#ready = false;
    Atomics.store(new Int32Array(this.#begun), 0, -1);
    this.#worker.ref();
    this.#limit(RUN_LIMIT_MS, "timeout");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(batch);
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
      if (this.#waiting.length === 0) this.#worker?.unref();
      return this.#next();
    }
    this.#answered += message.answers.length;
    const answered = this.#sent.splice(0, message.answers.length);
    if (message.done) this.#waiting.unshift(...this.#sent.splice(0));
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
    if (!proven) return resolveAll(this.#waiting.splice(0), { tag: "unstarted" });
    const culprit = this.#culprit();
    this.#waiting.unshift(...this.#sent.splice(0));
    culprit?.resolve({ tag });
    this.#next();
  }

  // The run that had begun takes the blame; the others of its batch are asked again.
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
