import type { KubeObject } from "@binnacle/kube";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { weightOf } from "./object-weight.ts";

/** Why an object is not kept. */
export type KeepRefusal = "too-many" | "too-large";

/** What a kind may keep. */
export interface KeptObjectsOptions {
  readonly maxObjects: number;
  /** A part of the view's budget that belongs to the kind alone. */
  readonly budget: ByteBudget;
  /** What is remembered beside an object, in bytes. */
  readonly bytesBeside?: (object: KubeObject) => number;
}

/** The account of one kind: which objects it keeps, and what they weigh. It holds no object. */
export class KeptObjects {
  readonly #options: KeptObjectsOptions;
  #bytes = new Map<string, number>();
  #total = 0;

  constructor(options: KeptObjectsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#bytes.size;
  }

  has(object: KubeObject): boolean {
    return this.#bytes.has(placeOf(object));
  }

  /** Takes an object in, in place of what it was before. @returns why it is not kept, then in no version */
  keep(object: KubeObject): KeepRefusal | undefined {
    this.drop(object);
    const { maxObjects, budget } = this.#options;
    if (this.#bytes.size >= maxObjects) return "too-many";
    const bytes = bytesOf(object, this.#options);
    if (!budget.take(bytes)) return "too-large";
    this.#bytes.set(placeOf(object), bytes);
    this.#total += bytes;
    return undefined;
  }

  /** @returns whether it was kept */
  drop(object: KubeObject): boolean {
    const place = placeOf(object);
    const bytes = this.#bytes.get(place);
    if (bytes === undefined) return false;
    this.#bytes.delete(place);
    this.#total -= bytes;
    this.#options.budget.give(bytes);
    return true;
  }

  /** Nothing is kept any more. */
  clear(): void {
    this.#replace(new Map(), 0);
  }

  /** Begins to collect what is to replace everything; end it with `commit` or `abandon`. */
  refill(): Refilling {
    return new Refilling(this.#options, this.#total, (bytes, total) => this.#replace(bytes, total));
  }

  #replace(bytes: Map<string, number>, total: number): void {
    this.#options.budget.give(Math.max(0, this.#total - total));
    this.#bytes = bytes;
    this.#total = total;
  }
}

/**
 * Objects that will replace those of a kind. What they weigh beyond those is taken from the budget at once: the same objects read
 * again must find the room that they have.
 */
export class Refilling {
  readonly #options: KeptObjectsOptions;
  readonly #before: number;
  readonly #replace: (bytes: Map<string, number>, total: number) => void;
  readonly #bytes = new Map<string, number>();
  #total = 0;
  #taken = 0;
  #ended = false;

  constructor(options: KeptObjectsOptions, before: number, replace: (bytes: Map<string, number>, total: number) => void) {
    this.#options = options;
    this.#before = before;
    this.#replace = replace;
  }

  get count(): number {
    return this.#bytes.size;
  }

  /** @returns why there is no room for it; then it is not among them */
  add(object: KubeObject): KeepRefusal | undefined {
    this.remove(object);
    const { maxObjects, budget } = this.#options;
    if (this.#bytes.size >= maxObjects) return "too-many";
    const bytes = bytesOf(object, this.#options);
    const more = this.#total + bytes - this.#before - this.#taken;
    if (more > 0) {
      if (!budget.take(more)) return "too-large";
      this.#taken += more;
    }
    this.#bytes.set(placeOf(object), bytes);
    this.#total += bytes;
    return undefined;
  }

  remove(object: KubeObject): void {
    const place = placeOf(object);
    this.#total -= this.#bytes.get(place) ?? 0;
    this.#bytes.delete(place);
  }

  /** They are the objects of the kind from now on. */
  commit(): void {
    if (this.#ended) return;
    this.#ended = true;
    // Replacing gives back what the old ones weigh beyond the new ones; what the new ones weigh beyond the old ones was taken.
    const surplus = this.#taken - Math.max(0, this.#total - this.#before);
    this.#options.budget.give(surplus);
    this.#replace(this.#bytes, this.#total);
  }

  /** Those before stay. Does nothing once it has ended. */
  abandon(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.budget.give(this.#taken);
  }
}

function bytesOf(object: KubeObject, { budget, bytesBeside }: KeptObjectsOptions): number {
  return weightOf(object, budget.limitBytes) + (bytesBeside?.(object) ?? 0);
}

/** Namespace and name: they identify an object of one kind in one scope, and an object that is made again replaces the one before. */
export function placeOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}
