import { create } from "@bufbuild/protobuf";
import type { ConnectionState } from "@binnacle/proto/dashboard";
import { ViewSpecSchema, type ViewSpec, type ViewUpdate } from "@binnacle/proto/kas-views";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import type { Fault } from "@binnacle/rpc";

import type { ViewHub } from "../view-hub.ts";
import type { ViewSubscription } from "../view-subscription.ts";
import { ShownEntries } from "../../testing/shown-entries.ts";

/** The view that tests ask for. */
export const ENVIRONMENT: ViewSpec = create(ViewSpecSchema, {
  view: { case: "environment", value: { engine: "engine-1", scope: { namespaces: ["production"] } } },
});

/** A subscriber of a view, which applies its updates as a page does. */
export class ViewReader {
  readonly updates: ViewUpdate[] = [];
  state: ConnectionState | undefined;
  fault: Fault | undefined;
  /** Hears of each thing that he takes. */
  onTake: (update: ViewUpdate) => void = () => undefined;
  /** Takes nothing while it is set. */
  stalled = false;
  /** The same, after each thing that he takes. */
  takesOne = false;
  readonly #left = new AbortController();
  #subscription: ViewSubscription | undefined;
  readonly #entries = new ShownEntries();

  /** What he shows. */
  get shown(): ShownEntries["shown"] {
    return this.#entries.shown;
  }

  /** @param name empty: the agent itself */
  static async join(hub: ViewHub, name: string, spec: ViewSpec = ENVIRONMENT): Promise<ViewReader> {
    const reader = new ViewReader();
    await reader.join(hub, name, spec);
    return reader;
  }

  /** Joins with a reader that exists, and may be stalled. */
  async join(hub: ViewHub, name: string, spec: ViewSpec = ENVIRONMENT): Promise<void> {
    const identity = name === "" ? {} : { identity: create(ImpersonationConfigSchema, { username: name }) };
    const access = { agentId: 1n, ...identity, owner: name, signal: this.#left.signal };
    this.#subscription = await hub.join(access, spec, { ready: () => this.read(), ended: (fault) => (this.fault = fault) });
    this.read();
  }

  /** Takes what there is. */
  read(): void {
    while (!this.stalled) {
      const update = this.#subscription?.take();
      if (update === undefined) return;
      this.#take(update);
      if (this.takesOne) this.stalled = true;
    }
  }

  leave(): void {
    this.#left.abort();
    this.#subscription?.close();
  }

  #take(update: ViewUpdate): void {
    this.updates.push(update);
    this.onTake(update);
    if (update.connection) this.state = update.connection.state;
    this.#entries.take(update);
  }
}
