import { isDeepStrictEqual } from "node:util";

import { scopeKeyOf, unreadTools, type Deployers, type ViewScope } from "@binnacle/environment-view";
import type { Delivery as DeliveryMessage } from "@binnacle/proto/dashboard";

import type { FollowViews, OpenEnvironment } from "../environment/open-views.ts";
import { AgentSyncs, type AgentSyncsOptions } from "./agent-syncs.ts";
import { deliveryOf, valueOf } from "./delivery.ts";
import type { DeploymentRecord } from "../main-application/records.ts";
import { FollowedDrift } from "./follow-drift.ts";
import { toDelivery } from "./to-delivery.ts";

/** An environment with what is known of its delivery besides the syncs. */
export interface DeployedScope {
  readonly name: string;
  readonly scope: ViewScope;
  /** As the main application answered. */
  readonly deployment: DeploymentRecord | undefined;
  /** Tools that mark its objects as their own; `undefined`: not known. */
  readonly deployers: Deployers | undefined;
}

interface ComparedView {
  readonly scope: ViewScope;
  readonly view: OpenEnvironment;
  /** Absent while no environment of this scope was read. */
  drift: FollowedDrift | undefined;
  readonly endTools: () => void;
}

/**
 * Deliveries of the environments of one agent, as one viewer may know them, without a page of their own. Drift, and the state of other
 * tools that deploy, are known only where the view of an environment is open anyway: a row reads nothing from the cluster for them.
 */
export class AgentDeliveries {
  readonly #options: AgentSyncsOptions;
  readonly #syncs: AgentSyncs;
  /** Keys of the scopes that were read last. */
  #wanted: ReadonlySet<string> = new Set();
  /** Views that are open, by the key of their scope. */
  readonly #views = new Map<string, ComparedView>();
  /** Called with the key of a scope whose drift may be another. */
  #changed: (scopeKey: string) => void = () => undefined;

  /** Begins with the last reading of the syncs. */
  constructor(options: AgentSyncsOptions) {
    this.#options = options;
    this.#syncs = new AgentSyncs(options);
  }

  /** The delivery of an environment as of the last `read`, and of what its view shows now if it is open. */
  of({ scope, deployment, deployers }: DeployedScope): DeliveryMessage {
    const syncs = this.#syncs.of(scope);
    const open = this.#views.get(scopeKeyOf(scope));
    const tools = open?.view.tools.now ?? (deployers && unreadTools(deployers));
    return toDelivery(deliveryOf({ deployment, syncs, tools, drift: open?.drift?.now(syncs) }));
  }

  /** Reads the syncs, and the objects of those whose environment is open. Never rejects. @returns names of environments that have changed */
  async read(environments: readonly DeployedScope[]): Promise<readonly string[]> {
    const before = environments.map((environment) => ({ environment, delivery: this.of(environment) }));
    this.#wanted = new Set(environments.map(({ scope }) => scopeKeyOf(scope)));
    await this.#syncs.read(environments.map(({ scope }) => scope));
    await Promise.all([...this.#views.values()].map((view) => this.#compare(view)));
    return before.flatMap(({ environment, delivery }) => (isDeepStrictEqual(delivery, this.of(environment)) ? [] : environment.name));
  }

  /** Compares with these views while they are open; `changed` is called with the key of a scope whose drift may be another. @returns ends it */
  compareWith(follow: FollowViews, changed: (scopeKey: string) => void): () => void {
    this.#changed = changed;
    const unfollow = follow({ opened: (scope, view) => this.#opened(scope, view), closed: (scope) => this.#closed(scopeKeyOf(scope)) });
    return () => {
      unfollow();
      for (const key of this.#views.keys()) this.#closed(key);
    };
  }

  #opened(scope: ViewScope, view: OpenEnvironment): void {
    const key = scopeKeyOf(scope);
    this.#closed(key);
    const compared: ComparedView = { scope, view, drift: undefined, endTools: view.tools.onChange(() => this.#changed(key)) };
    this.#views.set(key, compared);
    void this.#compare(compared).then(() => this.#changed(key)); // never rejects
  }

  #closed(key: string): void {
    const compared = this.#views.get(key);
    if (compared === undefined) return;
    compared.drift?.close();
    compared.endTools();
    this.#views.delete(key);
    this.#changed(key);
  }

  async #compare(compared: ComparedView): Promise<void> {
    const { scope, view } = compared;
    const key = scopeKeyOf(scope);
    if (!this.#wanted.has(key) || this.#views.get(key) !== compared) return;
    if (compared.drift === undefined) {
      compared.drift = new FollowedDrift({ ...this.#options, view });
      compared.drift.follow(() => this.#changed(key));
    }
    const syncs = this.#syncs.of(scope);
    await compared.drift.read((syncs && valueOf(syncs)) ?? []);
  }
}
