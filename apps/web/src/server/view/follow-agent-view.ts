import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import type { ViewSpec } from "@binnacle/proto/kas-views";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentWord } from "../upstream/agent-view-stream.ts";
import type { CredentialCarriers } from "../upstream/credential-carriers.ts";

/** What will not be otherwise until somebody changes something. */
const PERMANENT: ReadonlySet<number> = new Set([400, 404, 405, 413, 415, 501]);

/** What is followed, and who hears of it. */
export interface FollowedView {
  readonly spec: ViewSpec;
  readonly carriers: Pick<CredentialCarriers, "viewStream">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears what kas says of it. It may throw at what is no view. */
  readonly take: (word: AgentWord) => void;
  /** Nothing comes any more, for now. */
  readonly fellSilent: () => void;
  /** The agent does not offer it: whoever looks is to be shown it in another way. Nothing is called after that. */
  readonly refused: () => void;
}

/** Follows a view that an agent keeps until `signal` aborts or it is refused, with the credential of one of those who look. */
export async function followAgentView(followed: FollowedView, signal: AbortSignal): Promise<void> {
  const { spec, carriers, clock, log, take, fellSilent, refused } = followed;
  const backoff = new Backoff({ initialMs: 250, maxMs: 5_000 });
  while (!signal.aborted) {
    try {
      for await (const word of carriers.viewStream(spec, signal)) {
        backoff.reset();
        take(word);
      }
    } catch (error) {
      if (signal.aborted) return;
      const code = apiCodeOf(error);
      const isFinal = (code !== undefined && PERMANENT.has(code)) || (error instanceof KubeClientError && error.failure === "too_large");
      if (isFinal || !(error instanceof KubeClientError)) {
        log.info({ error }, "a view of an agent is made here instead");
        return refused();
      }
      fellSilent();
    }
    await sleep(clock, backoff.nextMs(), signal);
  }
}
