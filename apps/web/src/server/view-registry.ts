import type { EnvironmentView } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";

import type { ClusterIdentity } from "./cluster-identity.ts";
import type { ConfigurationProblem, KasAccess } from "./kas-access.ts";
import { SharedView, type SharedViewOptions } from "./shared-view.ts";

/** A view that was left is looked at again after this long, and ends if nobody is there then: a reload finds it warm. */
const LINGER_MS = 10_000;

/** A subscriber's place in a shared view. */
export interface ViewMembership {
  readonly view: EnvironmentView;
  /** What kas said last about the agent's configuration, to whoever carries the view. */
  configurationProblem(): ConfigurationProblem | undefined;
  /** The subscriber's credential was refused: nothing may travel with it any more. */
  refuse(): void;
  /** Call it once, at the end. */
  leave(): void;
}

/**
 * Owns every view of the process: one per agent, cluster identity and scope (docs/design/view.md "Sharing"). `join` and
 * `leave` are synchronous.
 */
export class ViewRegistry {
  readonly #views = new Map<string, SharedView>();
  readonly #closing = new Set<Promise<void>>();
  readonly #clock: Clock;
  readonly #options: Omit<SharedViewOptions, "namespace" | "tenant">;

  constructor(options: Omit<SharedViewOptions, "namespace" | "tenant">) {
    this.#clock = options.clock;
    this.#options = options;
  }

  /** Number of live views. */
  get size(): number {
    return this.#views.size;
  }

  /** Takes a place in the view of this identity, which begins when there is none. */
  join(access: KasAccess, identity: ClusterIdentity | undefined, namespace: string): ViewMembership {
    // An identity that the cluster does not tell is shared with nobody but the same credential.
    const tenant = JSON.stringify([String(access.agentId), identity?.key ?? `credential ${access.credentialKey}`]);
    const id = JSON.stringify([tenant, namespace]);
    const shared = this.#views.get(id) ?? new SharedView({ namespace, tenant, ...this.#options });
    this.#views.set(id, shared);
    const leave = shared.join(access);
    return {
      view: shared.view,
      configurationProblem: () => shared.configurationProblem,
      refuse: () => shared.refuse(access),
      leave: () => {
        leave();
        if (shared.users === 0) this.#clock.after(LINGER_MS, () => this.#end(id, shared));
      },
    };
  }

  /** Ends all views. */
  async close(): Promise<void> {
    for (const [id, shared] of this.#views) this.#drop(id, shared);
    await Promise.all(this.#closing);
  }

  #end(id: string, shared: SharedView): void {
    if (shared.users === 0 && this.#views.get(id) === shared) this.#drop(id, shared);
  }

  #drop(id: string, shared: SharedView): void {
    this.#views.delete(id);
    const closing = shared.close().catch((error: unknown) => this.#options.log.error({ error }, "a view ended with an error"));
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}
