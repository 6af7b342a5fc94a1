import type { Node } from "@binnacle/proto/dashboard";
import type { ReplicaChange } from "@binnacle/replica";
import type { Clock } from "@binnacle/rpc";

import { deployersOf, kindOfTool } from "../scope/deployer.ts";
import { ScopeTools, type DeployedSight } from "../tools/scope-tools.ts";
import type { ToolReader } from "../tools/tool-reader.ts";
import type { ViewConnection, ViewPosition } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { ViewSubscription } from "../stream/view-state.ts";
import { closerOf, type Attention } from "../limits/watch-budget.ts";
import { RemoteState } from "./remote-state.ts";

const APPLICATION = kindOfTool("argocd");

/** The cluster view that a remote scope belongs to: it knows the way, and reads what the other program does not tell. */
export interface RemoteSurroundings {
  readonly scope: ViewScope;
  readonly clock: Clock;
  readonly connection: () => ViewConnection;
  readonly toolReader: Pick<ToolReader, "want" | "answerOf">;
  readonly closed: (scope: RemoteScope) => void;
}

/** One environment whose view another program makes. Its subscribers use it like an `EnvironmentScope`. */
export class RemoteScope {
  /** The other GitOps tools that deploy what it shows. */
  readonly tools: ScopeTools;
  readonly #surroundings: RemoteSurroundings;
  readonly #state: RemoteState;
  readonly #watching = new Map<ViewSubscription, { readonly attention: Attention; readonly ready: () => void }>();
  /** Since when nothing comes from the other; absent: it does. */
  #silentSinceMs: number | undefined;
  #closed = false;

  constructor(surroundings: RemoteSurroundings) {
    this.#surroundings = surroundings;
    this.#state = new RemoteState(surroundings.clock);
    this.tools = new ScopeTools(
      remoteDeployed(() => this.#state.nodes()),
      surroundings.toolReader,
    );
    this.#silentSinceMs = surroundings.clock.now();
    this.stateChanged();
  }

  /** Identifies this scope for subscribers that resume. */
  get id(): string {
    return this.#state.id;
  }

  /** Which part of the cluster it shows. */
  get scope(): ViewScope {
    return this.#surroundings.scope;
  }

  /** How closely it is viewed now. */
  get attention(): Attention {
    let attention: Attention = "none";
    for (const each of this.#watching.values()) attention = closerOf(attention, each.attention);
    return attention;
  }

  /** As of `EnvironmentScope.open`. */
  open(ready: () => void, ask: { readonly after?: ViewPosition | undefined; readonly attention?: Attention } = {}): ViewSubscription {
    const inner = this.#state.open(ready, ask.after);
    const subscription: ViewSubscription = {
      take: () => inner.take(),
      close: () => {
        inner.close();
        this.#watching.delete(subscription);
        this.#look();
      },
    };
    this.#watching.set(subscription, { attention: ask.attention ?? "page", ready });
    this.#look();
    return subscription;
  }

  /** The other program sends a change, or a piece of one. @throws ChangeError */
  apply(change: ReplicaChange): void {
    if (this.#closed || !this.#state.apply(change)) return;
    this.spoke();
    this.#look();
  }

  /** The other program tells what changes, from now on. */
  spoke(): void {
    this.#silentSinceMs = undefined;
    this.stateChanged();
  }

  /** Nothing comes from the other program any more, for now. */
  fellSilent(): void {
    this.#silentSinceMs ??= this.#surroundings.clock.now();
    this.stateChanged();
  }

  /** For the cluster view: the way is another. */
  stateChanged(): void {
    if (this.#closed) return;
    const connection = this.#surroundings.connection();
    if (connection.state !== "connected") this.#state.setWay(connection);
    else if (this.#silentSinceMs !== undefined)
      this.#state.setWay({ state: this.#state.isEmpty ? "connecting" : "reconnecting", sinceMs: this.#silentSinceMs });
    else this.#state.setWay(undefined);
  }

  /** For the cluster view: something else is known of the object of a tool. */
  toolsChanged(): void {
    this.#look();
  }

  /** Shows what it has, and nothing new. Its subscribers are notified a last time. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#state.close();
    this.tools.close();
    this.#surroundings.closed(this);
    for (const { ready } of this.#watching.values()) queueMicrotask(ready);
  }

  #look(): void {
    if (!this.#closed && this.#state.isComplete)
      this.tools.update({ connection: this.#surroundings.connection(), isLooking: this.attention === "page" });
  }
}

/** The part of a remote view that tools deploy. Their own objects are not here in full: each is read by itself. */
function remoteDeployed(nodes: () => Iterable<Node>): DeployedSight {
  return {
    deployers: () => deployersOf([...nodes()].map(({ managedBy }) => managedBy)),
    objectOf: () => undefined,
    applicationsNamed: (name) =>
      [...nodes()].flatMap(({ ref }) =>
        ref?.kind === APPLICATION.kind && ref.group === APPLICATION.group && ref.name === name ? [ref.namespace] : [],
      ),
  };
}
