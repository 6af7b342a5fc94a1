import { KubeClientError, type ChangesRequest, type RemoteScope, type ScopeChanges } from "@binnacle/environment-view";
import { ScopeChangesSchema } from "@binnacle/proto/kas-views";
import { ChangeError, Replica } from "@binnacle/replica";
import { readMessage } from "@binnacle/proto/read-message";
import { timeOf } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CredentialPool } from "../kas/credential-pool.ts";
import { changesSpec, environmentSpec, type SpecRules } from "./environment-spec.ts";
import { FollowedAgentView, type FollowedView } from "./followed-agent-view.ts";

/** A question about what has changed waits no longer than the rest of a drawer. */
const CHANGES_MS = 3_000;

/** What a feed works with. */
export interface AgentFeedOptions {
  readonly remote: RemoteScope;
  readonly carriers: Pick<CredentialPool, "viewStream">;
  /** The current rules: read for each request to the agent. */
  readonly rules: () => SpecRules;
  readonly clock: Clock;
  readonly log: Logger;
  /** The agent does not offer it: subscribers are to be shown it in another way. */
  readonly refused: FollowedView["refused"];
}

/** Feeds one environment from the view that its agent keeps, with the credential of one of those who look. */
export class AgentFeed {
  readonly #options: AgentFeedOptions;
  readonly #stop = new AbortController();
  readonly #followed: FollowedAgentView;

  constructor(options: AgentFeedOptions) {
    this.#options = options;
    const { remote, rules } = options;
    this.#followed = new FollowedAgentView({
      ...options,
      spec: () => environmentSpec(remote.scope, rules()),
      apply: (change) => remote.apply(change),
      spoke: () => remote.spoke(),
      fellSilent: () => remote.fellSilent(),
    });
  }

  /** Other rules are in force: the agent gets a new request. The shown state stays until the full snapshot by those rules has arrived. */
  askAgain(): void {
    this.#followed.askAgain();
  }

  /** Changes since the view has subscribers, as the agent has recorded them; `undefined` when they cannot be requested now. */
  async changesOf(request: ChangesRequest): Promise<ScopeChanges | undefined> {
    const { carriers, rules, remote } = this.#options;
    const spec = changesSpec(remote.scope, rules(), request.of);
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(CHANGES_MS)]);
    const replica = new Replica();
    try {
      for await (const word of carriers.viewStream(spec, signal)) {
        if (word.kind !== "change" || !replica.receive(word.change)) continue;
        const changes = replica.table.get("changes");
        if (changes) return changesIn(changes, request);
      }
    } catch (error) {
      if (!(error instanceof KubeClientError || error instanceof ChangeError)) throw error;
    }
    return undefined;
  }

  close(): void {
    this.#stop.abort();
    this.#followed.close();
  }
}

/** @returns `undefined` when it cannot be read */
function changesIn(bytes: Uint8Array, { sinceMs = Number.NEGATIVE_INFINITY }: ChangesRequest): ScopeChanges | undefined {
  const read = readMessage(ScopeChangesSchema, bytes);
  if (read === undefined) return undefined;
  const { changes, since, cut } = read;
  return {
    changes: changes.filter(({ at }) => ((at && timeOf(at)) ?? Number.POSITIVE_INFINITY) >= sinceMs),
    sinceMs: since && timeOf(since),
    isCut: cut,
  };
}
