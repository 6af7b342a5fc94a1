/** What the main application counts of the use of kas, by the names that the GitLab agent server sends. */
export type UsageCounter = "gitops_sync_count" | "k8s_api_proxy_request_count";

/** How often something was used since the main application was told last. */
export class UsageCounts {
  readonly #counts = new Map<UsageCounter, number>();

  /** Once more. */
  add(name: UsageCounter): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** What is to be told now; `undefined` when that is nothing. */
  get now(): Readonly<Partial<Record<UsageCounter, number>>> | undefined {
    return this.#counts.size === 0 ? undefined : Object.fromEntries(this.#counts);
  }

  /** This was told: what has come since is left. */
  told(counts: Readonly<Partial<Record<UsageCounter, number>>>): void {
    for (const [name, count] of this.#counts) {
      const left = count - (counts[name] ?? 0);
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
