import { findValue, valuesOf, withoutValue, withValue, type Bag } from "./bag.ts";
import type { BoundReference, Vertex } from "./vertex.ts";

/** Who is called by a token, and who refers to it. */
interface Slot {
  providers: Bag<Vertex>;
  wanted: Bag<BoundReference>;
}

/** Names that nodes provide and references want. A reference waits here until somebody provides what it wants. */
export class TokenTable {
  readonly #slots = new Map<string, Slot>();

  /** Nodes that provide the token; not to be changed. */
  providersOf(token: string): Bag<Vertex> {
    return this.#slots.get(token)?.providers;
  }

  /** Any of the nodes that provide the token. */
  providerOf(token: string): Vertex | undefined {
    return findValue(this.providersOf(token), () => true);
  }

  /**
   * A node provides the token from now on.
   *
   * @returns references that want it, as they are now
   */
  provide(token: string, vertex: Vertex): readonly BoundReference[] {
    const slot = this.#slotOf(token);
    slot.providers = withValue(slot.providers, vertex);
    return valuesOf(slot.wanted);
  }

  /**
   * A node provides the token no more.
   *
   * @returns references that want it, as they are now
   */
  withdraw(token: string, vertex: Vertex): readonly BoundReference[] {
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
  want(token: string, bound: BoundReference): Bag<Vertex> {
    const slot = this.#slotOf(token);
    slot.wanted = withValue(slot.wanted, bound);
    return slot.providers;
  }

  /** A reference wants the token no more. */
  unwant(token: string, bound: BoundReference): void {
    const slot = this.#slotOf(token);
    slot.wanted = withoutValue(slot.wanted, bound);
    this.#tidy(token, slot);
  }

  #slotOf(token: string): Slot {
    let slot = this.#slots.get(token);
    if (slot === undefined) {
      slot = { providers: undefined, wanted: undefined };
      this.#slots.set(token, slot);
    }
    return slot;
  }

  #tidy(token: string, slot: Slot): void {
    if (slot.providers === undefined && slot.wanted === undefined) this.#slots.delete(token);
  }
}
