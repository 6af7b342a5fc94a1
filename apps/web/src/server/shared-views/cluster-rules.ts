import { KubeClientError, type KubeClient, type OpenHealthRules, type OpenScopeRules, type ScopeRules } from "@binnacle/environment-view";
import { UserRules, type RuleEngine, type RuleSet } from "@binnacle/health-lua";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { words } from "@binnacle/words";

import { RuleOrigins } from "./rule-origins.ts";

/** What the rules of clusters are read and run with. */
export interface ClusterRulesOptions {
  /** Runs the rules of all clusters. */
  readonly engine: RuleEngine;
  /** Rules for every cluster. */
  readonly file?: RuleSet;
  /** Empty: its ConfigMap is not read. */
  readonly argocdNamespace: string;
  readonly flux: boolean;
  /** How often they are read. Milliseconds. */
  readonly pollMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Who judges by the rules of a cluster, and what they may be read with. */
export interface RulesUser {
  readonly client: Pick<KubeClient, "get" | "list">;
  /** Where rules are looked for when they may not be listed everywhere. */
  readonly namespaces: () => readonly string[];
}

/** The rules of one agent and identity, for one user. */
export interface OpenRules {
  readonly rules: UserRules;
  /** For rules that hold for a scope alone. */
  readonly ofScope: OpenHealthRules;
  /** From now on there is a credential that can carry requests. */
  start(): void;
  /** The user's namespaces are others. */
  namespacesChanged(): void;
  /** Call it once, at the end. Settles when nothing of this user is used any more. */
  close(): Promise<void>;
}

/**
 * Health rules that teams have in their clusters: one set for each agent and identity, read once however many judge by it. A view and
 * the summaries of the same identity share theirs.
 */
export class ClusterRules {
  readonly #options: ClusterRulesOptions;
  readonly #shared = new Map<string, SharedRules>();

  constructor(options: ClusterRulesOptions) {
    this.#options = options;
  }

  /** The rules of a tenant, which are read from the first `start` until the last user has closed. */
  open(tenant: string, user: RulesUser): OpenRules {
    const shared = this.#shared.get(tenant) ?? new SharedRules(this.#options, tenant);
    this.#shared.set(tenant, shared);
    const leave = shared.join(user);
    return {
      rules: shared.rules,
      ofScope: (rules) => shared.ofScopes.open(rules),
      start: () => shared.start(),
      namespacesChanged: () => shared.namespacesChanged(),
      close: async () => {
        leave();
        if (shared.isUsed) return;
        if (this.#shared.get(tenant) === shared) this.#shared.delete(tenant);
        await shared.close();
      },
    };
  }
}

/** The rules of one tenant, read with whatever one of the users has. */
class SharedRules {
  readonly rules: UserRules;
  readonly ofScopes: ScopeHealthRules;
  readonly #options: ClusterRulesOptions;
  readonly #origins: RuleOrigins;
  readonly #users = new Map<RulesUser, AbortController>();
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(options: ClusterRulesOptions, tenant: string) {
    const { clock, engine, file } = options;
    this.#options = options;
    this.rules = new UserRules({ clock, engine, tenant });
    this.ofScopes = new ScopeHealthRules({ clock, engine, tenant });
    if (file) this.rules.setOrigin("file", file);
    const namespaces = (): string[] => [...new Set([...this.#users.keys()].flatMap((user) => user.namespaces()))];
    const client: RulesUser["client"] = {
      get: (request, signal) => this.#ask((user, inner) => user.get(request, inner), signal),
      list: (request, signal) => this.#ask((user, inner) => user.list(request, inner), signal),
    };
    this.#origins = new RuleOrigins({ ...options, rules: this.rules, client, namespaces });
  }

  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  join(user: RulesUser): () => void {
    const gone = new AbortController();
    this.#users.set(user, gone);
    return () => {
      this.#users.delete(user);
      gone.abort();
    };
  }

  start(): void {
    this.#origins.wake();
    this.#ended ??= this.#origins.run(this.#stop.signal).catch((error: unknown) => {
      this.#options.log.warn({ error }, "health rules of the cluster are no longer read");
    });
  }

  namespacesChanged(): void {
    this.#origins.namespacesChanged();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.ofScopes.close();
    await this.rules.close();
  }

  /** Asks with what the first user has that anything travels with: one whose viewers have all left has nothing. */
  async #ask<T>(ask: (client: RulesUser["client"], signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    let refused = new KubeClientError("unauthorized", words("request/no-carrier"));
    for (const [{ client }, gone] of this.#users) {
      try {
        return await ask(client, AbortSignal.any([signal, gone.signal]));
      } catch (error) {
        if (!(error instanceof KubeClientError) || error.failure !== "unauthorized") throw error;
        refused = error;
      }
    }
    throw refused;
  }
}

/** Results of one set of rules that are remembered, about 300 bytes each: there may be many sets. */
const MAX_RESULTS = 2_000;

/** What rules of scopes are run with. */
interface ScopeHealthRulesOptions {
  readonly engine: RuleEngine;
  /** The agent and the identity that they run for. */
  readonly tenant: string;
  readonly clock: Clock;
}

/**
 * Health rules that hold for scopes alone, of one agent and identity: a set of rules is there once, however many scopes judge by it. Each
 * has a queue and strikes of its own in the engine: rules that never end do not delay other sets, nor those of the cluster.
 */
class ScopeHealthRules {
  readonly #options: ScopeHealthRulesOptions;
  readonly #open = new Map<string, { readonly rules: UserRules; users: number }>();

  constructor(options: ScopeHealthRulesOptions) {
    this.#options = options;
  }

  open({ id, health }: Pick<ScopeRules, "id" | "health">): OpenScopeRules {
    const { tenant, ...rest } = this.#options;
    const opened = this.#open.get(id) ?? {
      rules: new UserRules({ ...rest, tenant: `${tenant}\nteam ${id}`, cacheSize: MAX_RESULTS }),
      users: 0,
    };
    if (opened.users === 0) opened.rules.setOrigin("file", { origin: "file", rules: health, problems: [] });
    opened.users += 1;
    this.#open.set(id, opened);
    return {
      rules: opened.rules,
      close: () => {
        opened.users -= 1;
        if (opened.users > 0) return;
        if (this.#open.get(id) === opened) this.#open.delete(id);
        // The engine is not its own: there is nothing to wait for.
        void opened.rules.close();
      },
    };
  }

  /** Rules that are still open give no more results from now on. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ rules }) => rules.close()));
    this.#open.clear();
  }
}
