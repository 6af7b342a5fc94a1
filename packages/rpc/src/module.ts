import type { Clock } from "./clock.ts";

/** A part of a process with its own lifetime: it works from when it is created, drains at shutdown, and is closed. */
export interface Module {
  readonly name: string;
  /**
   * Work that goes on by itself. Settles once `signal` has aborted, which happens right before `close`; rejects when it failed.
   * Absent: the module only reacts.
   */
  run?(signal: AbortSignal): Promise<void>;
  /**
   * Drains: nothing new is accepted, what runs may end. Settles when nothing is left to wait for, at the latest
   * when `deadline` aborts. Not called when the deadline is over already.
   */
  drain?(deadline: AbortSignal): Promise<void>;
  /** Ends what is left, at once. Settles when everything that this module opened is closed. */
  close(): Promise<void>;
}

/** How modules are ended. */
export interface ModuleRunOptions {
  readonly clock: Clock;
  /** What all drains together may take, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Lets modules work until `signal` aborts or one of them fails (or ends before the shutdown). Then the phases shut down one after the
 * other: all modules of a phase drain side by side, then they are closed; what a phase needs to drain stands in a later one.
 *
 * @throws the first failure, after every module was closed
 */
export async function runModules(phases: readonly (readonly Module[])[], signal: AbortSignal, options: ModuleRunOptions): Promise<void> {
  const failures: unknown[] = [];
  const stop = new AbortController();
  const forward = (): void => stop.abort();
  if (signal.aborted) forward();
  signal.addEventListener("abort", forward, { once: true });
  const running = phases.map((phase) =>
    phase.map((module) =>
      start(module, (error) => {
        failures.push(error);
        stop.abort();
      }),
    ),
  );
  if (!stop.signal.aborted) await new Promise((resolve) => stop.signal.addEventListener("abort", resolve, { once: true }));
  signal.removeEventListener("abort", forward);
  const deadline = new AbortController();
  const cancelDeadline = options.clock.after(options.deadlineMs, () => deadline.abort());
  for (const phase of running) {
    if (!deadline.signal.aborted) await Promise.all(phase.map((module) => module.drain(deadline.signal)));
    await Promise.all(phase.map((module) => module.close()));
  }
  cancelDeadline();
  if (failures.length > 0) throw failures[0];
}

/** A module that was started; its `drain` and `close` report failures instead of throwing them, so that the others still shut down. */
function start(module: Module, failed: (error: unknown) => void): Required<Pick<Module, "drain" | "close">> {
  const ending = new AbortController();
  const ended = (module.run?.(ending.signal) ?? Promise.resolve()).then(() => {
    if (module.run && !ending.signal.aborted) failed(new Error(`module ${module.name} ended before the shutdown`));
  }, failed);
  return {
    async drain(deadline) {
      await module.drain?.(deadline).catch(failed); // and the others still drain
    },
    async close() {
      ending.abort();
      await ended;
      await module.close().catch(failed);
    },
  };
}
