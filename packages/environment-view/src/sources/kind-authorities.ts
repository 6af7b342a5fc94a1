import type { ResourceKind } from "@binnacle/kube";

import type { KindReflectorState } from "../reflector/kind-reflector-options.ts";
import { kindId } from "../scope/kind-plan.ts";
import type { KindReaders } from "./kind-readers.ts";
import type { ObjectFeeds } from "../objects/object-feeds.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import type { RunningSource } from "./running-source.ts";
import { LOADING } from "../reflector/source-phase.ts";

/** What authorities work with. */
export interface KindAuthoritiesOptions {
  readonly kind: ResourceKind;
  readonly feeds: ObjectFeeds;
  readonly store: ObjectStore;
  readonly readers: KindReaders;
}

/** How a namespace is seen. */
export interface Coverage {
  readonly state: KindReflectorState;
  /** Objects that are shown. */
  readonly shown: number;
}

/**
 * Whose objects stand for a namespace: those of a source that keeps them up to date; `left`: what a source had that may not read them any
 * more; `unread`: none, because no source reads them.
 */
type Authority = { readonly layerId: string; readonly state: () => KindReflectorState } & (
  { readonly kind: "source"; readonly source: RunningSource } | { readonly kind: "left" | "unread" }
);

/** For each namespace that is read of a kind: whose objects stand for it. Readers receive only the differences. */
export class KindAuthorities {
  readonly #options: KindAuthoritiesOptions;
  readonly #authorities = new Map<string, Authority>();

  constructor(options: KindAuthoritiesOptions) {
    this.#options = options;
  }

  of(namespace: string): Authority | undefined {
    return this.#authorities.get(namespace);
  }

  /** Namespaces by what stands for them. */
  namespacesOf(what: Authority["kind"] | RunningSource): string[] {
    const entries = [...this.#authorities].filter(([, authority]) => authority.kind === what || sourceOf(authority) === what);
    return entries.map(([namespace]) => namespace);
  }

  coverageOf(namespace: string): Coverage {
    const authority = this.#authorities.get(namespace);
    if (!authority) return { state: LOADING, shown: 0 };
    return { state: authority.state(), shown: this.#options.store.count(authority.layerId, filterOf(authority, namespace)) };
  }

  serve(namespace: string, source: RunningSource): void {
    this.#serve(namespace, { kind: "source", layerId: source.layerId, source, state: () => source.state });
  }

  /** No source reads the namespace. */
  serveUnread(namespace: string, state: KindReflectorState): void {
    this.#serve(namespace, { kind: "unread", layerId: this.#layerId("unread"), state: () => state });
  }

  /** What a source shows of these namespaces stays, though it is about to go. */
  leaveBehind(source: RunningSource, namespaces: readonly string[], state: KindReflectorState): void {
    this.#options.store.copy(source.layerId, this.#layerId("left"), namespaces);
    for (const namespace of namespaces) this.#serve(namespace, { kind: "left", layerId: this.#layerId("left"), state: () => state });
  }

  /** Nothing that was left is shown any more. */
  dropLeft(): void {
    this.#options.store.drop(this.#layerId("left"));
  }

  /** The namespace has no reader any more. */
  forget(namespace: string): void {
    this.#authorities.delete(namespace);
  }

  /** Readers hear that the state of a source has changed. */
  tell(source: RunningSource): void {
    for (const namespace of this.namespacesOf(source)) for (const reader of this.#options.readers.of(namespace)) reader.stateChanged();
  }

  /** The kind has left: so do its objects. */
  close(): void {
    for (const namespace of this.#options.readers.namespaces()) this.#options.feeds.serve(this.cellId(namespace), undefined);
    this.#authorities.clear();
    this.dropLeft();
  }

  /** Names the kind in a namespace, for feeds. */
  cellId(namespace: string): string {
    return `${kindId(this.#options.kind)}/${namespace}`;
  }

  #serve(namespace: string, authority: Authority): void {
    const isWhole = (each: Authority | undefined): boolean => each?.state().settled === "live";
    const wasWhole = isWhole(this.#authorities.get(namespace)) && isWhole(authority);
    this.#authorities.set(namespace, authority);
    const origin = { layerId: authority.layerId, namespace: filterOf(authority, namespace) };
    this.#options.feeds.serve(this.cellId(namespace), origin, wasWhole);
    for (const reader of this.#options.readers.of(namespace)) reader.stateChanged();
  }

  /** No namespace has such a name. */
  #layerId(what: "left" | "unread"): string {
    return `${kindId(this.#options.kind)}/ ${what}`;
  }
}

function sourceOf(authority: Authority): RunningSource | undefined {
  return authority.kind === "source" ? authority.source : undefined;
}

/** An own layer belongs to its namespace whatever its objects say of themselves. */
function filterOf(authority: Authority, namespace: string): string {
  return sourceOf(authority)?.namespace === namespace ? "" : namespace;
}
