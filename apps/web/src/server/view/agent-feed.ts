import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { KubeClientError, type ChangesAsked, type RemoteScope, type ScopeChanges, type ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import { ScopeChangesSchema, ViewSpecSchema } from "@binnacle/proto/kas-views";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CredentialCarriers } from "../upstream/credential-carriers.ts";
import type { AgentWord } from "../upstream/agent-view-stream.ts";
import { environmentSpec } from "./environment-spec.ts";
import { followAgentView } from "./follow-agent-view.ts";

/** A question about what has changed waits no longer than the rest of a drawer. */
const CHANGES_MS = 3_000;

/** What a feed works with. */
export interface AgentFeedOptions {
  readonly remote: RemoteScope;
  readonly carriers: Pick<CredentialCarriers, "viewStream">;
  readonly customEdges: readonly CustomEdgeRule[];
  readonly clock: Clock;
  readonly log: Logger;
  /** The agent does not offer it: whoever looks is to be shown it in another way. */
  readonly refused: () => void;
}

/** Feeds one environment from the view that its agent keeps, with the credential of one of those who look. */
export class AgentFeed {
  readonly #options: AgentFeedOptions;
  readonly #stop = new AbortController();

  constructor(options: AgentFeedOptions) {
    this.#options = options;
    const spec = create(ViewSpecSchema, {
      view: { case: "environment", value: environmentSpec(options.remote.scope, options.customEdges) },
    });
    const { remote } = options;
    const take = (word: AgentWord): void => {
      if (word.kind === "change") remote.apply(word.change);
      else if (word.isWell) remote.spoke();
      else remote.fellSilent();
    };
    const followed = { ...options, spec, take, fellSilent: () => remote.fellSilent() };
    void followAgentView(followed, this.#stop.signal); // never rejects
  }

  /** What has changed since somebody has had the view, as the agent has written it down; `undefined` when that cannot be asked now. */
  async changesOf(asked: ChangesAsked): Promise<ScopeChanges | undefined> {
    const { carriers, customEdges, remote } = this.#options;
    const value = { environment: environmentSpec(remote.scope, customEdges), ...(asked.of && { of: asked.of }) };
    const spec = create(ViewSpecSchema, { view: { case: "changes", value } });
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(CHANGES_MS)]);
    try {
      for await (const word of carriers.viewStream(spec, signal)) {
        const told = word.kind === "change" ? word.change.entries.find(({ key }) => key === "changes") : undefined;
        if (told) return changesIn(told.value, asked);
      }
    } catch (error) {
      if (!(error instanceof KubeClientError)) throw error;
    }
    return undefined;
  }

  close(): void {
    this.#stop.abort();
  }
}

function changesIn(bytes: Uint8Array, { sinceMs = Number.NEGATIVE_INFINITY }: ChangesAsked): ScopeChanges {
  const { changes, since, cut } = fromBinary(ScopeChangesSchema, bytes);
  return {
    changes: changes.filter(({ at }) => at === undefined || timestampMs(at) >= sinceMs),
    sinceMs: since && timestampMs(since),
    isCut: cut,
  };
}

/** Whether an agent can make the view of a scope: it runs no scripts of users. */
export function isForAgents({ rules }: ViewScope): boolean {
  return rules === undefined || rules.health.length === 0;
}
