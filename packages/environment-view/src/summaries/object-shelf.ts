import { StringPool, type KubeObject, type ResourceKind } from "@binnacle/kube";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { isAmbient } from "../objects/ambient-object.ts";
import { kindId } from "../scope/kind-plan.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";
import { weightOf } from "../objects/object-weight.ts";

/** The shelf is full: there are more objects than may be held at a time. */
export class ShelfFullError extends Error {
  override readonly name = "ShelfFullError";
}

/** What a shelf works with. */
export interface ObjectShelfOptions {
  readonly keeper: ObjectKeeper;
  /** What is held is charged there until `close`. */
  readonly budget: ByteBudget;
  /** Objects of other namespaces are not held; `undefined`: all are. Cluster-wide objects always are. */
  readonly namespaces: ReadonlySet<string> | undefined;
}

/** Objects of one look at a cluster, by namespace, as little of each as a view keeps. */
export class ObjectShelf {
  readonly #options: ObjectShelfOptions;
  readonly #pool = new StringPool();
  /** By namespace, then by kind; cluster-wide objects stand under "". */
  readonly #objects = new Map<string, Map<string, KubeObject[]>>();
  readonly #budgets = new Map<string, ByteBudget>();

  constructor(options: ObjectShelfOptions) {
    this.#options = options;
  }

  /** @throws ShelfFullError */
  add(kind: ResourceKind, objects: readonly KubeObject[]): void {
    const { keeper, budget, namespaces } = this.#options;
    const id = kindId(kind);
    const whole = keeper.wantsWhole(kind);
    const account = this.#budgets.get(id) ?? budget.part();
    this.#budgets.set(id, account);
    for (const object of objects) {
      const { namespace = "" } = object.metadata;
      if (isAmbient(object) || (namespace !== "" && namespaces !== undefined && !namespaces.has(namespace))) continue;
      const kept = keeper.keep(object, whole, this.#pool);
      if (!account.take(weightOf(kept, budget.limitBytes))) throw new ShelfFullError("there are more objects than may be held at a time");
      const kinds = this.#objects.get(namespace) ?? new Map<string, KubeObject[]>();
      this.#objects.set(namespace, kinds);
      const held = kinds.get(id);
      if (held === undefined) kinds.set(id, [kept]);
      else held.push(kept);
    }
  }

  /** Takes back the objects of a kind, all or one namespace's. */
  drop(kind: ResourceKind, namespace?: string): void {
    const id = kindId(kind);
    if (namespace !== undefined) {
      const kinds = this.#objects.get(namespace);
      for (const object of kinds?.get(id) ?? []) this.#budgets.get(id)?.give(weightOf(object, this.#options.budget.limitBytes));
      kinds?.delete(id);
      return;
    }
    this.#budgets.get(id)?.close();
    this.#budgets.delete(id);
    for (const kinds of this.#objects.values()) kinds.delete(id);
  }

  /** Objects of these namespaces, and cluster-wide ones; an empty list: all. */
  of(namespaces: readonly string[]): KubeObject[] {
    const places = namespaces.length === 0 ? [...this.#objects.keys()] : ["", ...new Set(namespaces)];
    return places.flatMap((place) => [...(this.#objects.get(place)?.values() ?? [])].flat());
  }

  /** Lets go of everything. */
  close(): void {
    for (const budget of this.#budgets.values()) budget.close();
    this.#budgets.clear();
    this.#objects.clear();
  }
}
