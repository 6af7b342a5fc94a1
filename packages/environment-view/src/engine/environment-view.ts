import { ClusterView, type ClusterViewOptions } from "./cluster-view.ts";
import type { EnvironmentScope } from "./environment-scope.ts";
import type { ChangesRequest, ScopeChanges } from "../journal/scope-journal.ts";
import type { ViewMessage, ViewPosition } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { ViewSubscription } from "../stream/view-state.ts";

/** What a view works with. */
export interface EnvironmentViewOptions extends ClusterViewOptions {
  readonly scope: ViewScope;
}

/** One environment alone: a cluster view with one scope. */
export class EnvironmentView {
  readonly #cluster: ClusterView;
  readonly #scope: EnvironmentScope;

  constructor(options: EnvironmentViewOptions) {
    this.#cluster = new ClusterView(options);
    this.#scope = this.#cluster.openScope(options.scope);
  }

  /** Works until `signal` aborts and everything it opened is closed. Call it once. */
  run(signal: AbortSignal): Promise<void> {
    return this.#cluster.run(signal);
  }

  /** Identifies this view for subscribers that resume. */
  get id(): string {
    return this.#scope.id;
  }

  /** A subscription: `ready` is called whenever there is something to take, never inside another call. */
  open(ready: () => void, after?: ViewPosition): ViewSubscription {
    return this.#scope.open(ready, { after });
  }

  /** What has changed since the view was opened. */
  changesOf(request?: ChangesRequest): ScopeChanges {
    return this.#scope.changesOf(request);
  }

  /** The messages of a subscription of its own, until `signal` aborts. */
  watch(signal: AbortSignal): AsyncGenerator<ViewMessage> {
    return this.#scope.watch(signal);
  }
}
