import { randomUUID } from "node:crypto";

import { ReaderState, VersionedMap } from "@binnacle/replica";
import { EdgeSchema, EnvironmentHealthSchema, NodeSchema, type Edge, type EnvironmentHealth, type Node } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";

import { EncodedField, JoinedFields } from "./encoded-field.ts";
import { RecentContent, type ViewContent } from "./recent-content.ts";
import type { ViewConnection, ViewDelta, ViewMessage, ViewPosition, ViewSnapshot, ViewSource } from "./view-model.ts";

/** Where nodes and edges stand in a Snapshot and in a Delta: in both in the same place. */
const FIELD = { nodes: 1, edges: 2, health: 3 } as const;

/**
 * Small numbers for the nodes of a graph, or for its edges: an id of the graph is long, and occurs in thousands of edges. A removed id loses
 * its number and gets another one when it comes back, so that a new object is not taken for an old one.
 */
export class NodeNumbers {
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** How many are known. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The number of an id, from 1; given to it now when it has none. */
  of(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#numbers.set(id, this.#last);
    return this.#last;
  }

  /** The number of an id; `undefined` when it has none. */
  known(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The id has left. */
  forget(id: string): void {
    this.#numbers.delete(id);
  }
}

/** A subscriber's side of a view. */
export interface ViewSubscription {
  /** The next message, or `undefined` while there is nothing new. Whatever has piled up is one message. */
  take(): ViewMessage | undefined;
  /** Call it once, at the end. */
  close(): void;
}

/**
 * What a view shows now, and what has changed since when. A subscriber is a version: a slow one costs nothing, and one that was away resumes
 * at its version, until so much has been removed that it is cheaper to send everything. What is shown is encoded once, when it changes; all
 * subscribers are sent the same bytes.
 */
export class ViewState {
  /** Versions of one view say nothing to another, and neither do its numbers. */
  readonly id = randomUUID();
  /** Numbers of what is shown, for all who make messages of this view. */
  readonly numbers = { nodes: new NodeNumbers(), edges: new NodeNumbers() };
  readonly #nodes = new VersionedMap<number, EncodedField<typeof NodeSchema>>();
  readonly #edges = new VersionedMap<number, EncodedField<typeof EdgeSchema>>();
  readonly #sources = new VersionedMap<string, ViewSource>();
  readonly #subscribers = new Set<SubscriberState>();
  readonly #health: Versioned<EncodedField<typeof EnvironmentHealthSchema>>;
  readonly #connection: Versioned<ViewConnection>;
  readonly #complete: Versioned<boolean>;
  readonly #recent: RecentContent | undefined;
  #version = 1;
  /** What was made last, for all who have missed the same. */
  #delta: { readonly after: number; readonly isResumed: boolean; readonly message: ViewDelta } | undefined;

  /** @param clock absent: every new subscriber receives the current content */
  constructor(health: EnvironmentHealth, connection: ViewConnection, clock?: Clock) {
    this.#recent = clock && new RecentContent(clock);
    this.#health = { value: fieldOf(health), version: 1 };
    this.#connection = { value: connection, version: 1 };
    this.#complete = { value: false, version: 1 };
  }

  /**
   * `ready` is called when there is something to take, once until it is taken. It must not throw.
   *
   * @param after what the subscriber has already; it receives what it has missed, when that is still known
   */
  open(ready: () => void, after?: ViewPosition): ViewSubscription {
    const known = after?.view === this.id && after.version <= this.#version ? after.version : undefined;
    const subscriber = new SubscriberState(ready, known);
    this.#subscribers.add(subscriber);
    // Also without a change: the subscriber waits for a confirmation that it is current.
    subscriber.announce();
    return {
      take: () => this.#take(subscriber),
      close: () => {
        this.#subscribers.delete(subscriber);
      },
    };
  }

  /** @param node bears the number of its id, and of its owner's */
  putNode(node: Node): void {
    this.#put(this.#nodes, new EncodedField(NodeSchema, FIELD.nodes, node));
  }

  /** The node is as it was, but there is more to read about it. Nothing when it is not shown. */
  reviseNode(id: string, revision: number): void {
    const node = this.#nodes.get(this.numbers.nodes.known(id) ?? 0);
    if (node) this.putNode({ ...node.message, revision });
  }

  /** @param id of the node in the graph */
  removeNode(id: string): void {
    const number = this.numbers.nodes.known(id);
    this.numbers.nodes.forget(id);
    this.#remove(this.#nodes, number ?? 0);
  }

  /** @param edge bears the number of its id, and of its ends' */
  putEdge(edge: Edge): void {
    this.#put(this.#edges, new EncodedField(EdgeSchema, FIELD.edges, edge));
  }

  /** @param id of the edge in the graph */
  removeEdge(id: string): void {
    const number = this.numbers.edges.known(id);
    this.numbers.edges.forget(id);
    this.#remove(this.#edges, number ?? 0);
  }

  /** Replaces all sources. */
  setSources(sources: readonly ViewSource[]): void {
    const ids = new Set(sources.map((source) => source.id));
    // No subscriber begins with a kind that it may not see any more.
    const isSettledAnew = sources.some(({ id, settled }) => this.#sources.get(id)?.settled !== settled);
    if (isSettledAnew || this.#sources.ids().some((id) => !ids.has(id))) this.#recent?.drop();
    for (const id of this.#sources.ids()) if (!ids.has(id)) this.#remove(this.#sources, id);
    for (const source of sources) {
      const before = this.#sources.get(source.id);
      if (before === undefined || !same(before, source)) this.#sources.put(source.id, source, this.#nextVersion());
    }
  }

  setHealth(health: EnvironmentHealth): void {
    this.#set(this.#health, fieldOf(health), (a, b) => a.equals(b));
  }

  setConnection(connection: ViewConnection): void {
    this.#set(this.#connection, connection, same);
  }

  setComplete(complete: boolean): void {
    if (complete !== this.#complete.value) this.#recent?.drop();
    this.#set(this.#complete, complete, same);
  }

  /** Tells every subscriber that has something to take. */
  announce(): void {
    for (const subscriber of this.#subscribers) if (subscriber.version !== this.#version) subscriber.announce();
  }

  /** Keeps nothing for who may come. */
  close(): void {
    this.#recent?.drop();
  }

  #put<D extends typeof NodeSchema | typeof EdgeSchema>(map: VersionedMap<number, EncodedField<D>>, field: EncodedField<D>): void {
    const { id } = field.message;
    if (map.get(id)?.equals(field) !== true) map.put(id, field, this.#nextVersion());
  }

  #remove<K extends string | number, T>(map: VersionedMap<K, T>, id: K): void {
    if (map.get(id) !== undefined) map.remove(id, this.#nextVersion());
  }

  #set<T>(field: Versioned<T>, value: T, isSame: (a: T, b: T) => boolean): void {
    if (isSame(field.value, value)) return;
    field.value = value;
    field.version = this.#nextVersion();
  }

  /** Something is about to change. */
  #nextVersion(): number {
    this.#delta = undefined;
    return (this.#version += 1);
  }

  #take(subscriber: SubscriberState): ViewMessage | undefined {
    const { version: after, isResumed } = subscriber;
    if (after === this.#version && !isResumed) return undefined;
    const message = (after === undefined ? undefined : this.#deltaSince(after, isResumed)) ?? this.#snapshot(after);
    subscriber.taken(message.version);
    if (message.version !== this.#version) subscriber.announce();
    return message;
  }

  /** What is large may be of a moment ago, when others have just been given it; how things stand is always of now. */
  #snapshot(after: number | undefined): ViewSnapshot {
    return {
      kind: "snapshot",
      ...(this.#recent?.get(this.#version, after) ?? this.#content()),
      health: this.#health.value.message,
      connection: this.#connection.value,
      complete: this.#complete.value,
    };
  }

  #content(): ViewContent {
    const [nodes, edges] = [[...this.#nodes.values()], [...this.#edges.values()]];
    const content = {
      version: this.#version,
      nodes: nodes.map(({ message }) => message),
      edges: edges.map(({ message }) => message),
      content: new JoinedFields([...nodes, ...edges]),
      sources: [...this.#sources.values()],
      isEmpty: this.#isEmpty(),
    };
    this.#recent?.keep(content);
    return content;
  }

  /**
   * @param isResumed a subscriber that was away may have an older connection state from another process
   * @returns `undefined` when too much was forgotten
   */
  #deltaSince(after: number, isResumed: boolean): ViewDelta | undefined {
    if (this.#delta?.after === after && this.#delta.isResumed === isResumed) return this.#delta.message;
    const [nodes, edges, sources] = [this.#nodes.since(after), this.#edges.since(after), this.#sources.since(after)];
    if (!nodes || !edges || !sources) return undefined;
    const message: ViewDelta = {
      kind: "delta",
      version: this.#version,
      upsertedNodes: nodes.present.map((node) => node.message),
      upsertedEdges: edges.present.map((edge) => edge.message),
      content: new JoinedFields([...nodes.present, ...edges.present]),
      removedNodes: nodes.gone,
      removedEdges: edges.gone,
      upsertedSources: sources.present,
      removedSources: sources.gone,
      ...(this.#health.version > after ? { health: this.#health.value.message } : {}),
      ...(isResumed || this.#connection.version > after ? { connection: this.#connection.value } : {}),
      ...(this.#complete.version > after ? { complete: this.#complete.value } : {}),
      isEmpty: this.#isEmpty(),
    };
    this.#delta = { after, isResumed, message };
    return message;
  }

  /** Of a kind that has not answered, or only ever failed, it is unknown whether it is empty. */
  #isEmpty(): boolean {
    const isOpen = ({ settled }: ViewSource): boolean => settled === undefined || settled === "error";
    return this.#complete.value && this.#nodes.size === 0 && !this.#sources.values().some(isOpen);
  }
}

interface Versioned<T> {
  value: T;
  version: number;
}

/** The version that a subscriber has. */
class SubscriberState extends ReaderState {
  /** It came with a version, and has taken nothing yet. */
  isResumed: boolean;

  constructor(ready: () => void, version: number | undefined) {
    super(ready, version);
    this.isResumed = version !== undefined;
  }

  override taken(version: number): void {
    super.taken(version);
    this.isResumed = false;
  }
}

function fieldOf(health: EnvironmentHealth): EncodedField<typeof EnvironmentHealthSchema> {
  return new EncodedField(EnvironmentHealthSchema, FIELD.health, health);
}

/** Values are plain data built in one place each, so their keys always stand in the same order. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
