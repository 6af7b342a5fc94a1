import type { ViewConnection, ViewDelta, ViewEdge, ViewEnvironmentHealth, ViewMessage, ViewNode, ViewSource } from "./view-model.ts";

/** A subscriber that has not taken this many changed ids more than the view has is sent everything again instead. */
const MOST_DIRTY_BEYOND = 2_000;

/** A subscriber's side of a view. */
export interface ViewSubscription {
  /** The next message, or `undefined` while there is nothing new. Whatever has piled up is one message. */
  take(): ViewMessage | undefined;
  /** Call it once, at the end. */
  close(): void;
}

/**
 * What a view shows now, and what each subscriber has not yet been told. A slow subscriber costs a set of changed ids, never
 * a queue of messages; when that set outgrows the view it becomes "send everything".
 */
export class ViewState {
  readonly #nodes = new Map<string, ViewNode>();
  readonly #edges = new Map<string, ViewEdge>();
  readonly #sources = new Map<string, ViewSource>();
  readonly #subscribers = new Set<SubscriberState>();
  #health: ViewEnvironmentHealth;
  #connection: ViewConnection;
  #complete = false;

  constructor(health: ViewEnvironmentHealth, connection: ViewConnection) {
    this.#health = health;
    this.#connection = connection;
  }

  /** `ready` is called when there is something to take, once until it is taken. It must not throw. */
  open(ready: () => void): ViewSubscription {
    const subscriber = new SubscriberState(ready);
    this.#subscribers.add(subscriber);
    subscriber.announce();
    return {
      take: () => this.#take(subscriber),
      close: () => {
        this.#subscribers.delete(subscriber);
      },
    };
  }

  putNode(node: ViewNode): void {
    if (!put(this.#nodes, node)) return;
    for (const subscriber of this.#subscribers) subscriber.nodes.add(node.id);
  }

  removeNode(id: string): void {
    if (!this.#nodes.delete(id)) return;
    for (const subscriber of this.#subscribers) subscriber.nodes.add(id);
  }

  putEdge(edge: ViewEdge): void {
    if (!put(this.#edges, edge)) return;
    for (const subscriber of this.#subscribers) subscriber.edges.add(edge.id);
  }

  removeEdge(id: string): void {
    if (!this.#edges.delete(id)) return;
    for (const subscriber of this.#subscribers) subscriber.edges.add(id);
  }

  /** Replaces all sources. */
  setSources(sources: readonly ViewSource[]): void {
    const ids = new Set(sources.map((source) => source.id));
    for (const id of this.#sources.keys()) {
      if (ids.has(id)) continue;
      this.#sources.delete(id);
      for (const subscriber of this.#subscribers) subscriber.sources.add(id);
    }
    for (const source of sources) {
      if (!put(this.#sources, source)) continue;
      for (const subscriber of this.#subscribers) subscriber.sources.add(source.id);
    }
  }

  setHealth(health: ViewEnvironmentHealth): void {
    if (same(this.#health, health)) return;
    this.#health = health;
    for (const subscriber of this.#subscribers) subscriber.health = true;
  }

  setConnection(connection: ViewConnection): void {
    if (same(this.#connection, connection)) return;
    this.#connection = connection;
    for (const subscriber of this.#subscribers) subscriber.connection = true;
  }

  setComplete(complete: boolean): void {
    if (this.#complete === complete) return;
    this.#complete = complete;
    for (const subscriber of this.#subscribers) subscriber.complete = true;
  }

  /** Tells every subscriber that has something to take. */
  announce(): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.nodes.size + subscriber.edges.size > this.#nodes.size + this.#edges.size + MOST_DIRTY_BEYOND) subscriber.restart();
      if (subscriber.isDirty()) subscriber.announce();
    }
  }

  #take(subscriber: SubscriberState): ViewMessage | undefined {
    if (!subscriber.isDirty()) return undefined;
    const message = subscriber.everything ? this.#snapshot() : this.#delta(subscriber);
    subscriber.taken();
    return message;
  }

  #snapshot(): ViewMessage {
    return {
      kind: "snapshot",
      nodes: [...this.#nodes.values()],
      edges: [...this.#edges.values()],
      health: this.#health,
      sources: [...this.#sources.values()],
      connection: this.#connection,
      complete: this.#complete,
    };
  }

  #delta(subscriber: SubscriberState): ViewDelta {
    const nodes = split(subscriber.nodes, this.#nodes);
    const edges = split(subscriber.edges, this.#edges);
    const sources = split(subscriber.sources, this.#sources);
    return {
      kind: "delta",
      upsertedNodes: nodes.present,
      removedNodes: nodes.gone,
      upsertedEdges: edges.present,
      removedEdges: edges.gone,
      upsertedSources: sources.present,
      removedSources: sources.gone,
      ...(subscriber.health ? { health: this.#health } : {}),
      ...(subscriber.connection ? { connection: this.#connection } : {}),
      ...(subscriber.complete ? { complete: this.#complete } : {}),
    };
  }
}

/** What one subscriber has not been told. */
class SubscriberState {
  readonly nodes = new Set<string>();
  readonly edges = new Set<string>();
  readonly sources = new Set<string>();
  health = false;
  connection = false;
  complete = false;
  everything = true;
  readonly #ready: () => void;
  #announced = false;

  constructor(ready: () => void) {
    this.#ready = ready;
  }

  isDirty(): boolean {
    const { nodes, edges, sources } = this;
    return this.everything || nodes.size > 0 || edges.size > 0 || sources.size > 0 || this.health || this.connection || this.complete;
  }

  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    // Never inside the caller's turn: the subscription is not in its hands yet, and a reader must not run in a writer.
    queueMicrotask(this.#ready);
  }

  restart(): void {
    this.#clear();
    this.everything = true;
  }

  taken(): void {
    this.#clear();
    this.everything = false;
    this.#announced = false;
  }

  #clear(): void {
    this.nodes.clear();
    this.edges.clear();
    this.sources.clear();
    this.health = this.connection = this.complete = false;
  }
}

function put<T extends { readonly id: string }>(map: Map<string, T>, value: T): boolean {
  const before = map.get(value.id);
  if (before !== undefined && same(before, value)) return false;
  map.set(value.id, value);
  return true;
}

/** Values are plain data built in one place each, so their keys always stand in the same order. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function split<T>(ids: ReadonlySet<string>, map: ReadonlyMap<string, T>): { present: T[]; gone: string[] } {
  const present: T[] = [];
  const gone: string[] = [];
  for (const id of ids) {
    const value = map.get(id);
    if (value === undefined) gone.push(id);
    else present.push(value);
  }
  return { present, gone };
}
