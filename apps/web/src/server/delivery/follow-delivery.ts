import { isDeepStrictEqual } from "node:util";

import type { EnvironmentScope, ToolStandings, ViewScope } from "@binnacle/environment-view";
import type { Delivery as DeliveryMessage } from "@binnacle/proto/dashboard";

import { AgentSyncs, type AgentSyncsOptions } from "./agent-syncs.ts";
import { deliveryOf, type Delivery } from "./delivery.ts";
import type { DeliveryHistory } from "./delivery-journal.ts";
import type { DeploymentRecord } from "./deployment-record.ts";
import { toDelivery } from "./to-delivery.ts";

/** Sources of one environment's delivery for one viewer. */
export interface FollowedSources extends Omit<AgentSyncsOptions, "isShowingSources"> {
  readonly scope: ViewScope;
  /** What the main application has said last. */
  readonly deployment: () => DeploymentRecord | undefined;
  /** Objects of other tools; absent: the view is not open. */
  readonly tools?: Pick<EnvironmentScope["tools"], "now" | "onChange">;
  /** Records each state, for the history; absent: none is sent. */
  readonly record?: (delivery: Delivery) => DeliveryHistory;
}

/** The delivery of an environment that a page shows: the sources are read again whenever one of them may have changed. */
export class FollowedDelivery {
  readonly #sources: FollowedSources;
  readonly #syncs: AgentSyncs;
  #taken: DeliveryMessage;

  /** Begins with what is known already. */
  constructor(sources: FollowedSources) {
    this.#sources = sources;
    this.#syncs = new AgentSyncs({ ...sources, isShowingSources: true });
    this.#taken = this.#current();
  }

  /** What was taken last, at first what was known at the beginning. */
  get taken(): DeliveryMessage {
    return this.#taken;
  }

  /** What it is now, once, when that differs from what was taken last. */
  take(): DeliveryMessage | undefined {
    const now = this.#current();
    if (isDeepStrictEqual(now, this.#taken)) return undefined;
    this.#taken = now;
    return now;
  }

  /** Reads the syncs once, as far as they are not fresh. Never rejects. */
  async read(): Promise<void> {
    await this.#syncs.read([this.#sources.scope]);
  }

  /** Calls `changed` when there may be something to take, until `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const { gitops, access, tools } = this.#sources;
    const unsubscribe = tools?.onChange(changed);
    try {
      while (!signal.aborted) {
        await this.read();
        changed();
        await gitops.changed(access, signal);
      }
    } finally {
      unsubscribe?.();
    }
  }

  #current(): DeliveryMessage {
    const { scope, deployment, tools, record } = this.#sources;
    const standings: ToolStandings | undefined = tools?.now;
    const delivery = deliveryOf({ deployment: deployment(), syncs: this.#syncs.of(scope), tools: standings });
    return toDelivery(delivery, record?.(delivery));
  }
}
