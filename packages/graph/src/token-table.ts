import type { ObjectKey } from "@binnacle/kube";

import { findValue, withoutValue, withValue, type Bag } from "./bag.ts";
import { MultiMap } from "./multi-map.ts";
import type { Token } from "./name-target.ts";
import type { BoundReference, Vertex } from "./vertex.ts";

/** Who is called by a token, and who refers to it. */
interface Slot {
  providers: Bag<Vertex>;
  /** The first of those that want it before all else; each knows the next. */
  wanted: BoundReference | undefined;
}

/** By the four parts of a key, one below the other. */
type Names<V> = Map<string, V>;
type Namespaces<V> = Map<string, Names<V>>;
type Kinds<V> = Map<string, Namespaces<V>>;

/** Tokens that nodes provide and references need. A reference waits here until a node provides its token. */
export class TokenTable {
  readonly #ofKeys = new KeyMap<Slot>();
  readonly #ofTexts = new Map<string, Slot>();
  /** Few references want a second token. */
  readonly #wantedBesides = new MultiMap<string, BoundReference>();

  /** Nodes that provide the token; not to be changed. */
  providersOf(token: Token): Bag<Vertex> {
    return this.#find(token)?.providers;
  }

  /** Any of the nodes that provide the token. */
  providerOf(token: Token): Vertex | undefined {
    return findValue(this.providersOf(token), () => true);
  }

  /**
   * A node provides the token from now on.
   *
   * @returns references that want it, as they are now
   */
  provide(token: Token, vertex: Vertex): readonly BoundReference[] {
    const slot = this.#slotOf(token);
    slot.providers = withValue(slot.providers, vertex);
    return this.#wanting(token, slot);
  }

  /**
   * A node provides the token no more.
   *
   * @returns references that want it, as they are now
   */
  withdraw(token: Token, vertex: Vertex): readonly BoundReference[] {
    const slot = this.#slotOf(token);
    slot.providers = withoutValue(slot.providers, vertex);
    this.#tidy(token, slot);
    return this.#wanting(token, slot);
  }

  /**
   * A reference wants the token from now on, before all else: no other until {@link TokenTable.unwant}.
   *
   * @returns nodes that provide it; not to be changed
   */
  want(token: Token, bound: BoundReference): Bag<Vertex> {
    const slot = this.#slotOf(token);
    const { wanted } = slot;
    bound.next = wanted;
    if (wanted !== undefined) wanted.previous = bound;
    slot.wanted = bound;
    return slot.providers;
  }

  /** A reference wants the token no more; it must have wanted it. */
  unwant(token: Token, bound: BoundReference): void {
    const slot = this.#slotOf(token);
    const { previous, next } = bound;
    if (previous === undefined) slot.wanted = next;
    else previous.next = next;
    if (next !== undefined) next.previous = previous;
    bound.previous = undefined;
    bound.next = undefined;
    this.#tidy(token, slot);
  }

  /**
   * A reference wants the token besides its own.
   *
   * @returns nodes that provide it; not to be changed
   */
  wantBesides(token: string, bound: BoundReference): Bag<Vertex> {
    this.#wantedBesides.add(token, bound);
    return this.providersOf(token);
  }

  /** A reference wants the token besides its own no more, if it did. */
  unwantBesides(token: string, bound: BoundReference): void {
    this.#wantedBesides.delete(token, bound);
  }

  #wanting(token: Token, { wanted }: Slot): readonly BoundReference[] {
    const besides = typeof token === "string" ? this.#wantedBesides.get(token) : NOTHING;
    if (wanted === undefined) return besides;
    const all = [...besides];
    for (let bound: BoundReference | undefined = wanted; bound !== undefined; bound = bound.next) all.push(bound);
    return all;
  }

  #find(token: Token): Slot | undefined {
    return typeof token === "string" ? this.#ofTexts.get(token) : this.#ofKeys.get(token);
  }

  #slotOf(token: Token): Slot {
    let slot = this.#find(token);
    if (slot === undefined) {
      slot = { providers: undefined, wanted: undefined };
      if (typeof token === "string") this.#ofTexts.set(token, slot);
      else this.#ofKeys.set(token, slot);
    }
    return slot;
  }

  #tidy(token: Token, slot: Slot): void {
    if (slot.providers !== undefined || slot.wanted !== undefined) return;
    if (typeof token === "string") this.#ofTexts.delete(token);
    else this.#ofKeys.delete(token);
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Values by the keys of objects. A key is looked up part by part, and never made a text: a graph looks up several for each
 * object, and joining the parts, and hashing what comes out, would cost more than the rest of it.
 */
export class KeyMap<V> {
  readonly #groups = new Map<string, Kinds<V>>();

  /** The value of a key. */
  get({ group, kind, namespace, name }: ObjectKey): V | undefined {
    return this.#groups.get(group)?.get(kind)?.get(namespace)?.get(name);
  }

  /** Sets the value of a key. */
  set({ group, kind, namespace, name }: ObjectKey, value: V): void {
    below(below(below(this.#groups, group), kind), namespace).set(name, value);
  }

  /** Forgets a key, and the parts that it was the last of. */
  delete({ group, kind, namespace, name }: ObjectKey): void {
    const kinds = this.#groups.get(group);
    const namespaces = kinds?.get(kind);
    const names = namespaces?.get(namespace);
    if (names?.delete(name) !== true || names.size > 0) return;
    namespaces?.delete(namespace);
    if (namespaces?.size === 0) kinds?.delete(kind);
    if (kinds?.size === 0) this.#groups.delete(group);
  }
}

function below<V>(maps: Map<string, Map<string, V>>, part: string): Map<string, V> {
  let map = maps.get(part);
  if (map === undefined) {
    map = new Map();
    maps.set(part, map);
  }
  return map;
}
