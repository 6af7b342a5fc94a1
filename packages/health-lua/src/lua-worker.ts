import { Worker } from "node:worker_threads";

import type { Clock } from "@binnacle/rpc";

import type { LuaAnswer, LuaJob, WorkerMessage } from "./worker-message.ts";

const START_LIMIT_MS = 10_000;
const RUN_LIMIT_MS = 250;

/** Outcome of a run: an answer of the VM, or why there is none. */
export type RunOutcome = LuaAnswer | { readonly tag: "timeout" | "lost" | "closed" };

interface Waiting {
  readonly job: LuaJob;
  readonly resolve: (outcome: RunOutcome) => void;
}

/** Runs jobs one after another in a worker thread; ends the thread when a run takes too long and starts another one when needed. */
export class LuaWorker {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #ready = false;
  #current: Waiting | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Queues a job. Always resolves. */
  run(job: LuaJob): Promise<RunOutcome> {
    if (this.#closed) return Promise.resolve({ tag: "closed" });
    return new Promise((resolve) => {
      this.#waiting.push({ job, resolve });
      this.#next();
    });
  }

  /** Ends the thread; jobs that wait resolve as closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#drop();
    const open = this.#current === undefined ? this.#waiting.splice(0) : [this.#current, ...this.#waiting.splice(0)];
    this.#current = undefined;
    for (const { resolve } of open) resolve({ tag: "closed" });
    await worker?.terminate();
  }

  #next(): void {
    if (this.#closed || this.#current !== undefined || this.#waiting.length === 0) return;
    if (this.#worker === undefined) return this.#start();
    if (!this.#ready) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    this.#current = waiting;
    this.#ready = false;
    this.#worker.ref();
    this.#limit(RUN_LIMIT_MS, "timeout");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(waiting.job);
  }

  #start(): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
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
      if (this.#waiting.length === 0) this.#worker?.unref();
      return this.#next();
    }
    const current = this.#current;
    this.#current = undefined;
    // Between an answer and "ready" the worker may build a new VM: that, too, must end.
    this.#limit(START_LIMIT_MS, "lost");
    current?.resolve(message.answer);
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
    this.#drop();
    void worker.terminate();
    // A worker that fails before its first job takes that job with it, otherwise it would be started again and again.
    const failed = this.#current ?? this.#waiting.shift();
    this.#current = undefined;
    failed?.resolve({ tag });
    this.#next();
  }

  #drop(): Worker | undefined {
    const worker = this.#worker;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#worker = undefined;
    this.#ready = false;
    return worker;
  }
}
