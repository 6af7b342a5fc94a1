import { findValue, valuesOf, withoutValue, withValue, type Bag } from "./bag.ts";
import { KeyMap } from "./key-map.ts";
import type { Token } from "./reference.ts";
import type { BoundReference, Vertex } from "./vertex.ts";

/** Who is called by a token, and who refers to it. */
interface Slot {
  providers: Bag<Vertex>;
  wanted: Bag<BoundReference>;
}

/** Names that nodes provide and references want. A reference waits here until somebody provides what it wants. */
export class TokenTable {
  readonly #ofKeys = new KeyMap<Slot>();
  readonly #ofTexts = new Map<string, Slot>();

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
    return valuesOf(slot.wanted);
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
    return valuesOf(slot.wanted);
  }

  /**
   * A reference wants the token from now on.
   *
   * @returns nodes that provide it; not to be changed
   */
  want(token: Token, bound: BoundReference): Bag<Vertex> {
    const slot = this.#slotOf(token);
    slot.wanted = withValue(slot.wanted, bound);
    return slot.providers;
  }

  /** A reference wants the token no more. */
  unwant(token: Token, bound: BoundReference): void {
    const slot = this.#slotOf(token);
    slot.wanted = withoutValue(slot.wanted, bound);
    this.#tidy(token, slot);
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
