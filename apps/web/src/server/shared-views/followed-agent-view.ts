import type { ViewSpec } from "@binnacle/proto/kas-views";
import type { ReplicaChange } from "@binnacle/replica";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { agentViewRefusalOf, type AgentViewRefusal } from "../kas/agent-view-refusal.ts";
import type { CredentialPool } from "../kas/credential-pool.ts";

/** What is followed, and who hears of it. */
export interface FollowedView {
  /** The current spec: read for each request to the agent. */
  readonly spec: () => ViewSpec;
  readonly carriers: Pick<CredentialPool, "viewStream">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Takes a change, or a piece of one. It may throw at what is no view. */
  readonly apply: (change: ReplicaChange) => void;
  /** kas is connected to the agent again. */
  readonly spoke: () => void;
  /** Nothing comes any more, for now. */
  readonly fellSilent: () => void;
  /** The agent does not offer it, or is over its limit: subscribers are to be shown it in another way. Nothing is called after that. */
  readonly refused: (refusal: AgentViewRefusal) => void;
}

/** A view that an agent keeps, followed until it is closed or refused, with the credential of one of those who look. */
export class FollowedAgentView {
  readonly #followed: FollowedView;
  readonly #stop = new AbortController();
  #again = new AbortController();

  constructor(followed: FollowedView) {
    this.#followed = followed;
    void this.#run(); // never rejects
  }

  /** The spec has changed: a new request is sent to the agent at once, without a report of a broken stream. */
  askAgain(): void {
    this.#again.abort();
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { spec, carriers, clock, log, apply, spoke, fellSilent, refused } = this.#followed;
    const { signal } = this.#stop;
    const backoff = new Backoff({ initialMs: 250, maxMs: 5_000 });
    while (!signal.aborted) {
      this.#again = new AbortController();
      const again = this.#again.signal;
      const either = AbortSignal.any([signal, again]);
      try {
        for await (const word of carriers.viewStream(spec(), either)) {
          backoff.reset();
          if (word.kind === "change") apply(word.change);
          else if (word.isWell) spoke();
          else fellSilent();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (again.aborted) continue;
        // A page does not wait until the agent is below its limit: it is shown at once in another way.
        const refusal = agentViewRefusalOf(error);
        if (refusal !== "broken") {
          log.info({ error }, "a view of an agent is made here instead");
          return refused(refusal);
        }
        fellSilent();
      }
      await sleep(clock, backoff.nextMs(), either);
    }
  }
}
