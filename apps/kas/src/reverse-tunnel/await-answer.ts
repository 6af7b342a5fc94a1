import type { SessionProbe } from "@binnacle/grpc-wire";
import type { Clock } from "@binnacle/rpc";

import type { SilentParty } from "../agent-call/agent-call.ts";

/** What an answer is waited for with. */
export interface AwaitAnswerOptions {
  readonly clock: Clock;
  /** Of the connection that the agent's tunnel is on. */
  readonly probe: Pick<SessionProbe, "ask">;
  readonly limitMs: number;
}

/**
 * Waits for an agent to begin its answer; then asks its connection whether the agent lives, and says whose silence it is: an agent that
 * answers a ping waits for its cluster. It works for every agent: a ping is answered by HTTP/2 itself.
 *
 * @param silent called once, unless the returned function was called before
 */
export function awaitAnswer({ clock, probe, limitMs }: AwaitAnswerOptions, silent: (who: SilentParty) => void): () => void {
  let cancel = clock.after(limitMs, () => {
    cancel = probe.ask((alive) => silent(alive ? "cluster" : "agent"));
  });
  return () => cancel();
}
