import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import type { EngineAnswer, EngineOptions, EngineTask } from "./engine-protocol.ts";

/** What a run of an engine ends in; `hung` also means that the process is gone and the next run starts another. */
export type EngineOutcome =
  { readonly kind: "answered"; readonly answer: EngineAnswer } | { readonly kind: "hung" } | { readonly kind: "died" };

/** Longest time for a process to be ready on a busy machine. */
const START_MS = 120_000;

/** One engine; its process is started when it is needed, and killed when a fault makes the tests run for ever. */
export class FaultEngineProcess {
  readonly #options: EngineOptions;
  #child: ChildProcess | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /**
   * Runs the tests once. One run at a time.
   *
   * @param limitMs longest time for the run, once the process is ready
   */
  run(task: EngineTask, limitMs: number): Promise<EngineOutcome> {
    return new Promise((resolve) => {
      const running = this.#child !== undefined;
      const child = (this.#child ??= this.#start());
      const settle = (outcome: EngineOutcome): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (outcome.kind !== "answered") this.close();
        resolve(outcome);
      };
      let timer = setTimeout(() => settle({ kind: "hung" }), running ? limitMs : START_MS);
      // Only fault-engine.ts writes to this channel.
      child.on("message", (message: EngineAnswer | "ready") => {
        if (message !== "ready") return settle({ kind: "answered", answer: message });
        clearTimeout(timer);
        timer = setTimeout(() => settle({ kind: "hung" }), limitMs);
        child.send(task);
      });
      child.on("exit", () => settle({ kind: "died" }));
      child.on("error", () => settle({ kind: "died" }));
      if (running) child.send(task);
    });
  }

  /** Ends the process, whatever it does. */
  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const file = join(import.meta.dirname, "fault-engine.ts");
    return fork(file, [JSON.stringify(this.#options)], { cwd: this.#options.root, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  }
}
