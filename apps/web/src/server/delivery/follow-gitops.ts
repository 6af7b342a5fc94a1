import type { ViewScope } from "@binnacle/environment-view";
import { sleep, type Clock } from "@binnacle/rpc";

import { Latest } from "../view/latest.ts";
import { AgentSyncs, type AgentSyncsOptions, type GitopsRecord } from "./agent-syncs.ts";

/** Whose look at which part of which cluster. */
export interface GitopsLook extends AgentSyncsOptions {
  readonly clock: Clock;
  readonly scope: ViewScope;
}

/** What GitOps does in an environment that somebody looks at. */
export class FollowedGitops {
  readonly #look: GitopsLook;
  readonly #syncs: AgentSyncs;
  readonly #latest: Latest<GitopsRecord>;

  /** Begins with what is known already. */
  constructor(look: GitopsLook) {
    this.#look = look;
    this.#syncs = new AgentSyncs({ ...look, isShowingSources: true });
    this.#latest = new Latest(this.#syncs.of(look.scope));
  }

  /** What was taken last, or known at the beginning. */
  get shown(): GitopsRecord | undefined {
    return this.#latest.taken;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): GitopsRecord | undefined {
    return this.#latest.take();
  }

  /** Asks again and again until `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const { scope, clock, gitops } = this.#look;
    while (!signal.aborted) {
      if (await this.#syncs.read([scope])) {
        this.#latest.put(this.#syncs.of(scope));
        changed();
      }
      await sleep(clock, gitops.pollMs, signal);
    }
  }
}
