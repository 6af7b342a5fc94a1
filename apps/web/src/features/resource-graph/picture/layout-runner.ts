import type { Clock } from "@binnacle/rpc";
import type { EngineAnswer, EngineRequest } from "@binnacle/presentation/layout/graph-engine";
import { isAnswer, type LayoutPort, type OpenLayout } from "./layout-port.ts";

/**
 * How the layout fares.
 * - `answering`: it takes requests.
 * - `restarting`: it went silent or died, and is started again soon.
 * - `stopped`: it did so too often; only a person starts it again.
 */
export type LayoutState = "answering" | "restarting" | "stopped";

/** Longest time for one answer. Ten thousand resources take a second; a busy machine may take a few. */
const ANSWER_LIMIT_MS = 15_000;
/** So often in a row it is started again, each time after twice the time. */
const MAX_RESTARTS = 3;
const FIRST_PAUSE_MS = 500;
/** After working for so long it is well again, and what was before counts no more. */
const STEADY_MS = 60_000;

/** What a runner needs. */
export interface LayoutRunnerOptions {
  readonly open: OpenLayout;
  readonly clock: Clock;
  /** The state is another one. `answering` means that a layout was started that knows nothing yet. */
  readonly changed: (state: LayoutState) => void;
}

/** Keeps a layout running: one that is silent for too long, dies or talks nonsense is replaced, but not for ever. */
export class LayoutRunner {
  readonly #options: LayoutRunnerOptions;
  #state: LayoutState = "restarting";
  #port: LayoutPort | undefined;
  /** Incremented by every start and end: answers of an older one are ignored. */
  #generation = 0;
  #restarts = 0;
  #startedAtMs = 0;
  #closed = false;
  #cancelTimer = (): void => undefined;

  constructor(options: LayoutRunnerOptions) {
    this.#options = options;
  }

  get state(): LayoutState {
    return this.#state;
  }

  /** Starts the layout, for the first time or because a person wants another try. */
  start(): void {
    if (this.#closed) return;
    this.#restarts = 0;
    this.#open();
  }

  /** One request at a time; `take` gets the answer unless the layout is replaced before. Nothing is sent unless it is answering. */
  send(request: EngineRequest, take: (answer: EngineAnswer) => void): void {
    const generation = this.#generation;
    const port = this.#port;
    if (port === undefined) return;
    let answered = false;
    this.#cancelTimer = this.#options.clock.after(ANSWER_LIMIT_MS, () => this.#fail(generation));
    try {
      port.send(request, (answer) => {
        if (answered || generation !== this.#generation) return;
        if (!isAnswer(answer)) return this.#fail(generation);
        answered = true;
        this.#cancelTimer();
        take(answer);
      });
    } catch {
      this.#fail(generation);
    }
  }

  /** Ends for good; nothing is called afterwards. */
  close(): void {
    this.#closed = true;
    this.#end();
  }

  #open(): void {
    this.#end();
    const generation = this.#generation;
    const { open, clock } = this.#options;
    this.#startedAtMs = clock.now();
    let port: LayoutPort;
    try {
      port = open(() => this.#fail(generation));
    } catch {
      return this.#fail(generation);
    }
    // It may have died while it was being started.
    if (generation !== this.#generation) return port.close();
    this.#port = port;
    this.#set("answering");
  }

  #fail(generation: number): void {
    if (generation !== this.#generation) return;
    this.#end();
    const { clock } = this.#options;
    if (clock.now() - this.#startedAtMs >= STEADY_MS) this.#restarts = 0;
    if (this.#restarts >= MAX_RESTARTS) return this.#set("stopped");
    const pauseMs = FIRST_PAUSE_MS * 2 ** this.#restarts;
    this.#restarts += 1;
    this.#cancelTimer = clock.after(pauseMs, () => this.#open());
    this.#set("restarting");
  }

  #end(): void {
    this.#generation += 1;
    this.#cancelTimer();
    this.#port?.close();
    this.#port = undefined;
  }

  #set(state: LayoutState): void {
    this.#state = state;
    this.#options.changed(state);
  }
}
