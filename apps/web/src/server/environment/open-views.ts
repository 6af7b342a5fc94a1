import {
  scopeKeyOf,
  ViewSummary,
  type EnvironmentScope,
  type LiveSummaries,
  type SummaryFacts,
  type ViewScope,
} from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";

/** An environment that is open. */
export type OpenEnvironment = Pick<EnvironmentScope, "open" | "scope" | "tools">;

/** What happens to the environments of one agent and identity. */
export interface ViewFollower {
  opened(scope: ViewScope, view: OpenEnvironment): void;
  closed(scope: ViewScope): void;
}

/** Follows the views of one agent and identity: `opened` is called at once for those that are open. @returns ends it */
export type FollowViews = (follower: ViewFollower) => () => void;

interface OpenView {
  readonly summary: ViewSummary;
  readonly close: () => void;
}

/** Summaries of the environments that are open as a page anyway. */
export class OpenViews implements LiveSummaries {
  readonly #views = new Map<string, OpenView>();
  readonly #listeners = new Set<(scope: ViewScope) => void>();
  readonly #unfollow: () => void;

  constructor(follow: FollowViews, clock: Clock) {
    this.#unfollow = follow({
      opened: (scope, view) => this.#open(scope, view, clock),
      closed: (scope) => this.#close(scope),
    });
  }

  liveSummaryOf(scope: ViewScope): SummaryFacts | undefined {
    return this.#views.get(scopeKeyOf(scope))?.summary.facts();
  }

  onChange(listener: (scope: ViewScope) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows no more. */
  close(): void {
    this.#unfollow();
    for (const { close } of this.#views.values()) close();
    this.#views.clear();
  }

  #open(scope: ViewScope, view: OpenEnvironment, clock: Clock): void {
    const key = scopeKeyOf(scope);
    this.#views.get(key)?.close();
    const summary = new ViewSummary();
    const ready = (): void => {
      const message = subscription.take();
      if (!message) return;
      summary.apply(message, clock.now());
      this.#changed(scope);
    };
    // This subscriber is no page: no watch is retained for it.
    const subscription = view.open(ready, { attention: "none" });
    this.#views.set(key, { summary, close: () => subscription.close() });
  }

  #close(scope: ViewScope): void {
    const key = scopeKeyOf(scope);
    this.#views.get(key)?.close();
    if (this.#views.delete(key)) this.#changed(scope);
  }

  #changed(scope: ViewScope): void {
    for (const listener of this.#listeners) listener(scope);
  }
}
