import {
  ByteBudget,
  ClusterView,
  scopeKeyOf,
  ViewerClient,
  type EnvironmentScope,
  type Informers,
  type ViewScope,
} from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { DelegatingClient } from "./delegating-client.ts";
import type { ProvedRights } from "./rights/proved-rights.ts";
import type { NamedRules } from "./rules/received-rules.ts";
import type { RulesInForce } from "./rules/rules-in-force.ts";

/** A view without readers stays open for this long, so that a viewer who returns, or opens another environment of it, finds it as it is. */
const LINGER_MS = 120_000;
/** Objects belong to the informers, which have a limit; what a view counts of them is only its share in that. */
const MAX_BYTES = 2 ** 40;

/** What rights views work with. */
export interface RightsViewsOptions {
  readonly informers: Informers;
  readonly rules: RulesInForce;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whose view, and how it is drawn. */
export interface RightsViewRequest {
  readonly rights: ProvedRights;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Health rules of users; absent: none. */
  readonly rules: NamedRules | undefined;
}

interface OpenScope {
  readonly scope: EnvironmentScope;
  users: number;
}

interface OpenView {
  readonly view: ClusterView;
  readonly client: ViewerClient;
  readonly carriers: DelegatingClient;
  readonly scopes: Map<string, OpenScope>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  users: number;
  cancelClosing: () => void;
}

/** A place in the view of some rights. */
export interface RightsView {
  /** The cluster as these rights allow it. */
  readonly client: ViewerClient;
  /** Its viewers, one of whom is impersonated where the agent itself may not read. */
  readonly carriers: DelegatingClient;
  openScope(scope: ViewScope): { readonly scope: EnvironmentScope; readonly leave: () => void };
  /** Call it once. */
  leave(): void;
}

/** Cluster views, one for each set of rights: viewers with the same rights share one, and all views share what they hold. */
export class RightsViews {
  readonly #options: RightsViewsOptions;
  readonly #views = new Map<string, OpenView>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: RightsViewsOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get size(): number {
    return this.#views.size;
  }

  /** Takes a place; the view begins when there is none. */
  join(request: RightsViewRequest): RightsView {
    const edges = JSON.stringify(request.customEdges.map((edge) => (edge.pack === undefined ? edge : [edge.id, edge.pack])));
    const id = `${request.rights.id} ${request.rules?.name ?? ""} ${edges}`;
    const open = this.#views.get(id) ?? this.#open(id, request);
    open.users += 1;
    open.cancelClosing();
    return {
      client: open.client,
      carriers: open.carriers,
      openScope: (scope) => openScope(open, scope),
      leave: () => {
        open.users -= 1;
        if (open.users === 0) open.cancelClosing = this.#options.clock.after(LINGER_MS, () => this.#close(id));
      },
    };
  }

  /** Ends all. */
  async close(): Promise<void> {
    for (const id of this.#views.keys()) this.#close(id);
    await Promise.all(this.#closing);
  }

  #open(id: string, { rights, customEdges, rules: named }: RightsViewRequest): OpenView {
    const { informers, rules, clock, log } = this.#options;
    const carriers = new DelegatingClient();
    const client = new ViewerClient({ informers, rights, viewer: carriers });
    const held = named && rules.open(named.name, named.origins);
    const view = new ClusterView({
      client,
      customEdges,
      clock,
      log,
      keeping: informers.keeping,
      budget: new ByteBudget(MAX_BYTES),
      ...(held && { rules: held.rules }),
      openHealthRules: ({ id: scope, health }) =>
        rules.open(`team ${scope}`, new Map([["file", { origin: "file", rules: health, problems: [] }]])),
    });
    const stop = new AbortController();
    const ended = view
      .run(stop.signal)
      .catch((error: unknown) => log.error({ error }, "a view ended with an error"))
      .finally(() => held?.close());
    const open: OpenView = { view, client, carriers, scopes: new Map(), stop, ended, users: 0, cancelClosing: () => {} };
    this.#views.set(id, open);
    return open;
  }

  #close(id: string): void {
    const open = this.#views.get(id);
    if (open === undefined) return;
    this.#views.delete(id);
    open.cancelClosing();
    open.stop.abort();
    this.#closing.add(open.ended);
    void open.ended.then(() => this.#closing.delete(open.ended));
  }
}

function openScope({ view, scopes }: OpenView, wanted: ViewScope): { readonly scope: EnvironmentScope; readonly leave: () => void } {
  const key = scopeKeyOf(wanted);
  const open = scopes.get(key) ?? { scope: view.openScope(wanted), users: 0 };
  scopes.set(key, open);
  open.users += 1;
  return {
    scope: open.scope,
    leave: () => {
      open.users -= 1;
      if (open.users > 0 || scopes.get(key) !== open) return;
      scopes.delete(key);
      open.scope.close();
    },
  };
}
