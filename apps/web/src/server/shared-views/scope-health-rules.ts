import type { OpenScopeRules, ScopeRules } from "@binnacle/environment-view";
import { UserRules, type RuleEngine } from "@binnacle/health-lua";
import type { Clock } from "@binnacle/rpc";

/** Results of one set of rules that are remembered, about 300 bytes each: there may be many sets. */
const MOST_RESULTS = 2_000;

/** What rules of scopes are run with. */
export interface ScopeHealthRulesOptions {
  readonly engine: RuleEngine;
  /** The agent and the identity that they run for. */
  readonly tenant: string;
  readonly clock: Clock;
}

/**
 * Health rules that hold for scopes alone, of one agent and identity: a set of rules is there once, however many scopes judge by it. Each
 * has a queue and strikes of its own in the engine: rules that never end hold up nobody else's, nor those of the cluster.
 */
export class ScopeHealthRules {
  readonly #options: ScopeHealthRulesOptions;
  readonly #open = new Map<string, { readonly rules: UserRules; users: number }>();

  constructor(options: ScopeHealthRulesOptions) {
    this.#options = options;
  }

  open({ id, health }: Pick<ScopeRules, "id" | "health">): OpenScopeRules {
    const { tenant, ...rest } = this.#options;
    const opened = this.#open.get(id) ?? {
      rules: new UserRules({ ...rest, tenant: `${tenant}\nteam ${id}`, cacheSize: MOST_RESULTS }),
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

  /** Whoever has not given his back asks in vain from now on. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ rules }) => rules.close()));
    this.#open.clear();
  }
}
