import {
  EnvironmentView,
  KubeClientError,
  type ByteBudget,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import { UserRules, type RuleEngine, type RuleSet } from "@binnacle/health-lua";
import type { KubeObject, ObjectList, WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigurationProblem, KasAccess } from "./kas-access.ts";
import { RuleOrigins } from "./rule-origins.ts";

/** A credential that may carry the view, and how many subscribers have it. */
interface Carrier {
  readonly access: KasAccess;
  readonly gone: AbortController;
  users: number;
}

/** Which rules of users count besides the built-in ones. */
interface HealthRulesSetting {
  /** Runs the rules of all views. */
  readonly engine: RuleEngine;
  /** Rules for every cluster. */
  readonly file?: RuleSet;
  /** Empty: its ConfigMap is not read. */
  readonly argocdNamespace: string;
  readonly flux: boolean;
}

/** What a shared view works with. */
export interface SharedViewOptions {
  readonly namespace: string;
  /** Whose health rules run: names the agent and the identity, the same for all scopes. */
  readonly tenant: string;
  readonly healthRules: HealthRulesSetting;
  readonly customEdges: readonly CustomEdgeRule[];
  /** What all views keep of objects, and the part of it that one view may have. */
  readonly kept: { readonly views: ByteBudget; readonly viewBytes: number };
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * One EnvironmentView for all subscribers of one cluster identity. Its requests travel with the credential of one of them,
 * the carrier; when that one leaves or is refused, they break off and go on at the same resourceVersion with another's.
 */
export class SharedView {
  readonly view: EnvironmentView;
  readonly #carriers = new Map<string, Carrier>();
  readonly #stop = new AbortController();
  readonly #log: Logger;
  readonly #rules: UserRules;
  readonly #origins: RuleOrigins;
  #ended: Promise<void> | undefined;

  constructor(options: SharedViewOptions) {
    const { namespace, tenant, healthRules, customEdges, kept, clock, log } = options;
    this.#log = log;
    const client = this.#carriedClient();
    this.#rules = new UserRules({ clock, engine: healthRules.engine, tenant });
    if (healthRules.file) this.#rules.setOrigin("file", healthRules.file);
    this.#origins = new RuleOrigins({ rules: this.#rules, client, clock, log, namespace, ...healthRules });
    this.view = new EnvironmentView({
      client,
      rules: this.#rules,
      customEdges,
      scope: { namespaces: namespace === "" ? [] : [namespace] },
      budget: kept.views.part(kept.viewBytes),
      clock,
      log,
    });
  }

  /** Subscribers that have not left. */
  get users(): number {
    let users = 0;
    for (const carrier of this.#carriers.values()) users += carrier.users;
    return users;
  }

  /** What kas said last about the agent's configuration; it is the same for every identity. */
  get configurationProblem(): ConfigurationProblem | undefined {
    for (const carrier of this.#carriers.values()) return carrier.access.configurationProblem;
    return undefined;
  }

  /** A subscriber joins; the returned function takes it out again. */
  join(access: KasAccess): () => void {
    const known = this.#carriers.get(access.credentialKey);
    const carrier = known ?? { access, gone: new AbortController(), users: 0 };
    carrier.users += 1;
    this.#carriers.set(access.credentialKey, carrier);
    // Whoever stayed on only to keep the view warm hands over.
    for (const other of this.#carriers.values()) if (other.users === 0) this.#drop(other, "left");
    // The first one brings the credential without which nothing could begin.
    this.#ended ??= this.#run(this.#stop.signal);
    this.view.wake();
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      carrier.users -= 1;
      if (carrier.users === 0) this.#drop(carrier, "left");
    };
  }

  /** The credential is no longer good: it carries nothing from now on. */
  refuse(access: KasAccess): void {
    const carrier = this.#carriers.get(access.credentialKey);
    if (carrier) this.#drop(carrier, "refused");
  }

  /** Ends all requests. Settles when they have. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.#rules.close();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const reading = this.#origins.run(signal).catch((error: unknown) => {
      this.#log.warn({ error }, "health rules of the cluster are no longer read");
    });
    await this.view.run(signal);
    await reading;
  }

  #drop(carrier: Carrier, why: string): void {
    if (this.#carriers.get(carrier.access.credentialKey) !== carrier) return;
    // The last one stays: the view lives on for some seconds, in case its tab is only reloading.
    if (this.#carriers.size === 1 && why === "left") return;
    this.#carriers.delete(carrier.access.credentialKey);
    carrier.gone.abort();
    this.#log.info({ why, carriers: this.#carriers.size }, "a credential stopped carrying a view");
  }

  #carrier(): Carrier {
    for (const carrier of this.#carriers.values()) if (carrier.users > 0) return carrier;
    for (const carrier of this.#carriers.values()) return carrier;
    throw new KubeClientError("unauthorized", "nobody is left whose credential could carry the view");
  }

  async #carry<T>(signal: AbortSignal, action: (client: KubeClient, signal: AbortSignal) => Promise<T>): Promise<T> {
    const carrier = this.#carrier();
    try {
      return await action(carrier.access.client, AbortSignal.any([signal, carrier.gone.signal]));
    } catch (error) {
      throw this.#judged(carrier, error);
    }
  }

  #judged(carrier: Carrier, error: unknown): unknown {
    if (error instanceof KubeClientError && error.failure === "unauthorized") this.#drop(carrier, "refused");
    return error;
  }

  #carriedClient(): KubeClient {
    // Arrow functions: the client belongs to this object and to nobody else.
    const carry = this.#carry.bind(this);
    const carrierNow = this.#carrier.bind(this);
    const judged = this.#judged.bind(this);
    return {
      discover: (etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> =>
        carry(signal, (client, inner) => client.discover(etag, inner)),
      list: (request: KindListRequest, signal: AbortSignal): Promise<ObjectList> =>
        carry(signal, (client, inner) => client.list(request, inner)),
      get: (request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> =>
        carry(signal, (client, inner) => client.get(request, inner)),
      async *watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
        const carrier = carrierNow();
        try {
          yield* carrier.access.client.watch(request, AbortSignal.any([signal, carrier.gone.signal]));
        } catch (error) {
          throw judged(carrier, error);
        }
      },
      async *stream(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
        const carrier = carrierNow();
        try {
          yield* carrier.access.client.stream(request, AbortSignal.any([signal, carrier.gone.signal]));
        } catch (error) {
          throw judged(carrier, error);
        }
      },
    };
  }
}
