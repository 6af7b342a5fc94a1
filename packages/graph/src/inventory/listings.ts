import { encodeKey, type KubeObject } from "@binnacle/kube";

import { inventoriesOf, type InventoryEntry } from "./inventories-of.ts";
import type { ManagedBy } from "./managed-by.ts";
import { isLineOf } from "./scope-selector.ts";

type Lines = ReadonlyMap<string, InventoryEntry>;

const NO_LINES: Lines = new Map();

/** What the objects that hold one inventory list. */
export class Listings {
  readonly #inventory: ManagedBy;
  readonly #held = new Map<string, Lines>();
  /** Key of a listed object → id of the holder → its line. */
  readonly #lines = new Map<string, Map<string, InventoryEntry>>();

  constructor(inventory: ManagedBy) {
    this.#inventory = inventory;
  }

  /** Lines that list the object of a key (`encodeKey`). */
  of(key: string): Iterable<InventoryEntry> {
    return this.#lines.get(key)?.values() ?? [];
  }

  /**
   * Takes what an object lists now; nothing when it is gone, or no inventory.
   *
   * @returns keys that are listed otherwise than before. Controllers write the status of an inventory all the time, and seldom another list.
   */
  update(holder: string, object: KubeObject | undefined): string[] {
    const [old, now] = [this.#held.get(holder) ?? NO_LINES, this.#linesOf(object)];
    if (now.size > 0) this.#held.set(holder, now);
    else this.#held.delete(holder);
    const changed: string[] = [];
    for (const [key, line] of now) {
      if (isSameLine(old.get(key), line)) continue;
      const lines = this.#lines.get(key);
      if (lines === undefined) this.#lines.set(key, new Map([[holder, line]]));
      else lines.set(holder, line);
      changed.push(key);
    }
    for (const key of old.keys()) {
      if (now.has(key)) continue;
      const lines = this.#lines.get(key);
      lines?.delete(holder);
      if (lines?.size === 0) this.#lines.delete(key);
      changed.push(key);
    }
    return changed;
  }

  #linesOf(object: KubeObject | undefined): Lines {
    const lines = object === undefined ? [] : inventoriesOf(object);
    if (lines.length === 0) return NO_LINES;
    return new Map(lines.filter((line) => isLineOf(line, this.#inventory)).map((line) => [encodeKey(line.target), line]));
  }
}

function isSameLine(left: InventoryEntry | undefined, right: InventoryEntry): boolean {
  return left?.inventory.name === right.inventory.name && left.listedBy.namespace === right.listedBy.namespace;
}
