const MAX_STEPS = 250_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** Thrown inside an evaluation that is over its budget. One object for all: rules can make it be thrown a million times. */
const OVER = new Error("over the budget");

/**
 * What one evaluation may spend: 250,000 steps (about 30 ms), and 16 Mi of new text (characters), bytes and list elements (8 each). cel-js counts
 * neither, and a single text larger than the heap of a thread ends the whole process, not the thread.
 */
export class CelBudget {
  #steps = 0;
  #size = 0;
  #over: "steps" | "memory" | undefined;

  /** The limit that was hit since `renew`. Evaluation may go on after it, because `||` and `exists` catch errors. */
  get over(): "steps" | "memory" | undefined {
    return this.#over;
  }

  renew(): void {
    this.#steps = 0;
    this.#size = 0;
    this.#over = undefined;
  }

  /** @throws Error when the budget is spent, now and from now on */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS) this.#over ??= "steps";
    if (this.#over !== undefined) throw OVER;
  }

  /** Pays for something of this size before it is made. @throws Error when the budget is spent */
  produce(size: number): void {
    this.#size += size;
    if (this.#size > MAX_SIZE) this.#over ??= "memory";
    if (this.#over !== undefined) throw OVER;
  }
}

/** Size of a value as `CelBudget` counts it; elements of a list count as text one level deep, as `join` reads them. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) {
    let size = 8 * value.length;
    for (const item of value) if (typeof item === "string") size += item.length;
    return size;
  }
  return value instanceof Map ? 8 * value.size : 8;
}
