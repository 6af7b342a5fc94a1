import { isDeepStrictEqual } from "node:util";

import type { EnvironmentScope, ToolStandings, ViewScope } from "@binnacle/environment-view";
import type { Delivery as DeliveryMessage } from "@binnacle/proto/dashboard";

import { AgentSyncs, type AgentSyncsOptions } from "./agent-syncs.ts";
import { deliveryOf, valueOf, type Delivery } from "./delivery.ts";
import type { DeliveryHistory } from "./delivery-journal.ts";
import type { DeploymentRecord } from "../main-application/records.ts";
import { FollowedDrift } from "./follow-drift.ts";
import { toDelivery } from "./to-delivery.ts";

/** Sources of one environment's delivery for one viewer. */
export interface FollowedSources extends Omit<AgentSyncsOptions, "isShowingSources"> {
  readonly scope: ViewScope;
  /** The last answer of the main application. */
  readonly deployment: () => DeploymentRecord | undefined;
  /** Objects of other tools, and who owns the fields of objects; absent: the view is not open. */
  readonly view?: { readonly tools: Pick<EnvironmentScope["tools"], "now" | "onChange"> } & Pick<EnvironmentScope, "open" | "scope">;
  /** Records each state, for the history; absent: none is sent. */
  readonly record?: (delivery: Delivery) => DeliveryHistory;
}

/** The delivery of an environment that a page shows: the sources are read again whenever one of them may have changed. */
export class FollowedDelivery {
  readonly #sources: FollowedSources;
  readonly #syncs: AgentSyncs;
  readonly #drift: FollowedDrift | undefined;
  #taken: DeliveryMessage;

  /** Begins with what is known already. */
  constructor(sources: FollowedSources) {
    this.#sources = sources;
    this.#syncs = new AgentSyncs({ ...sources, isShowingSources: true });
    const { view } = sources;
    this.#drift = view && new FollowedDrift({ ...sources, view });
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
    const { scope } = this.#sources;
    await this.#syncs.read([scope]);
    const syncs = this.#syncs.of(scope);
    await this.#drift?.read((syncs && valueOf(syncs)) ?? []);
  }

  /** Calls `changed` when there may be something to take, until `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const { gitops, access, view } = this.#sources;
    const unsubscribe = view?.tools.onChange(changed);
    this.#drift?.follow(changed);
    try {
      while (!signal.aborted) {
        await this.read();
        changed();
        await gitops.changed(access, signal);
      }
    } finally {
      unsubscribe?.();
      this.#drift?.close();
    }
  }

  #current(): DeliveryMessage {
    const { scope, deployment, view, record } = this.#sources;
    const tools: ToolStandings | undefined = view?.tools.now;
    const syncs = this.#syncs.of(scope);
    const delivery = deliveryOf({ deployment: deployment(), syncs, tools, drift: this.#drift?.now(syncs) });
    return toDelivery(delivery, record?.(delivery));
  }
}
