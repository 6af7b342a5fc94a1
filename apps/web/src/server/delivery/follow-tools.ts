import type { EnvironmentScope, ToolStandings } from "@binnacle/environment-view";

import { Latest } from "../view/latest.ts";

/** The other GitOps tools that deploy to an environment that somebody looks at. */
export class FollowedTools {
  readonly #tools: Pick<EnvironmentScope["tools"], "now" | "onChange">;
  readonly #latest: Latest<ToolStandings>;

  /** Begins with what is known already. */
  constructor({ tools }: { readonly tools: Pick<EnvironmentScope["tools"], "now" | "onChange"> }) {
    this.#tools = tools;
    this.#latest = new Latest(something(tools.now));
  }

  /** What was taken last, or known at the beginning; `undefined` when there never was any. */
  get shown(): ToolStandings | undefined {
    return this.#latest.taken;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): ToolStandings | undefined {
    // Who was told of one is told that it is gone.
    this.#latest.put(this.shown === undefined ? something(this.#tools.now) : this.#tools.now);
    return this.#latest.take();
  }

  /** Calls `changed` when there may be something to take, until `signal` aborts. */
  run(changed: () => void, signal: AbortSignal): Promise<void> {
    const end = this.#tools.onChange(changed);
    return new Promise((resolve) => {
      const done = (): void => {
        end();
        resolve();
      };
      if (signal.aborted) done();
      else signal.addEventListener("abort", done, { once: true });
    });
  }
}

function something(standings: ToolStandings | undefined): ToolStandings | undefined {
  return standings?.tools.length === 0 && standings.more === 0 ? undefined : standings;
}
