import type { OpenScopeRules } from "@binnacle/environment-view";
import type * as healthLua from "@binnacle/health-lua";
import type { RuleEngine, RuleSet, UserRules } from "@binnacle/health-lua";
import type { Clock } from "@binnacle/rpc";

/** Code that reads and runs rules. */
type Runner = typeof healthLua;

interface OpenSet {
  readonly rules: UserRules;
  users: number;
}

/**
 * Rules of health that views judge by: each set exists once for all views, with a queue and strikes of its own in one thread
 * (ADR 7): rules that never end do not delay other sets. The thread ends with the last set.
 */
export class RulesInForce {
  readonly #clock: Clock;
  readonly #sets = new Map<string, OpenSet>();
  #runner: Runner | undefined;
  #engine: RuleEngine | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many there are. */
  get size(): number {
    return this.#sets.size;
  }

  /** What reads and runs rules: loaded with the first rules. */
  async load(): Promise<Runner> {
    this.#runner ??= await import("@binnacle/health-lua");
    return this.#runner;
  }

  /** @param key names the content */
  open(key: string, origins: ReadonlyMap<string, RuleSet>): OpenScopeRules {
    const open = this.#sets.get(key) ?? this.#begin(key, origins);
    open.users += 1;
    return { rules: open.rules, close: () => this.#leave(key, open) };
  }

  #begin(key: string, origins: ReadonlyMap<string, RuleSet>): OpenSet {
    if (this.#runner === undefined) throw new Error("what runs rules is not loaded");
    const clock = this.#clock;
    this.#engine ??= new this.#runner.RuleEngine({ clock });
    const rules = new this.#runner.UserRules({ clock, engine: this.#engine, tenant: key });
    for (const [id, set] of origins) rules.setOrigin(id, set);
    const open = { rules, users: 0 };
    this.#sets.set(key, open);
    return open;
  }

  #leave(key: string, open: OpenSet): void {
    open.users -= 1;
    if (open.users > 0) return;
    this.#sets.delete(key);
    void open.rules.close(); // never rejects: the thread is not its own
    if (this.#sets.size > 0) return;
    void this.#engine?.close(); // never rejects
    this.#engine = undefined;
  }
}
