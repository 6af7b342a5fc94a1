import type { Reported } from "./usage-reporter.ts";

/** What the main application counts of the use of kas, by the names that the GitLab agent server sends. */
export type UsageCounter = "gitops_sync_count" | "k8s_api_proxy_request_count";

type Counts = Readonly<Partial<Record<UsageCounter, number>>>;

/**
 * The body of a report: the counts as the GitLab agent server of 14.1 sends them, and once more as newer main applications read them,
 * which then look at nothing else. The names of the newer ones are assumed.
 */
type UsageBody = Counts & { readonly counters: Readonly<Record<string, number>> };

/** How often something was used since the last report that the main application accepted. */
export class UsageCounts implements Reported<UsageBody> {
  readonly #counts = new Map<UsageCounter, number>();

  /** Once more. */
  add(name: UsageCounter): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get now(): UsageBody | undefined {
    if (this.#counts.size === 0) return undefined;
    const counters = Object.fromEntries([...this.#counts].map(([name, count]) => [name.replace(/_count$/, ""), count]));
    return { ...Object.fromEntries(this.#counts), counters };
  }

  accepted(counts: Counts): void {
    for (const [name, count] of this.#counts) {
      const left = count - (counts[name] ?? 0);
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
