import { WatchBudget } from "@binnacle/environment-view";

interface Entry {
  readonly budget: WatchBudget;
  users: number;
}

/** The watches of each agent, one budget for all who are somebody to it; kept while somebody uses it. */
export class WatchBudgets {
  readonly #agents = new Map<bigint, Entry>();

  /** The budget of an agent; close it once, when nothing uses it any more. */
  open(agentId: bigint): { readonly budget: WatchBudget; readonly close: () => void } {
    const entry = this.#agents.get(agentId) ?? { budget: new WatchBudget(), users: 0 };
    this.#agents.set(agentId, entry);
    entry.users += 1;
    const close = (): void => {
      entry.users -= 1;
      if (entry.users === 0 && this.#agents.get(agentId) === entry) this.#agents.delete(agentId);
    };
    return { budget: entry.budget, close };
  }

  /** Budgets in use, in no order. */
  all(): WatchBudget[] {
    return [...this.#agents.values()].map(({ budget }) => budget);
  }
}
