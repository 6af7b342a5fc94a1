import { productsOf, type GraphChanges, type GraphNode } from "@binnacle/graph";
import type { ObjectKey } from "@binnacle/kube";

/** Which objects make others, by what they make: so nobody is told to create by hand what is just being made. */
export class MakerIndex {
  readonly #makers = new Map<string, Set<string>>();
  readonly #products = new Map<string, readonly string[]>();

  /** Reads what nodes make that have come, gone or changed. */
  apply({ upsertedNodes, removedNodes }: Pick<GraphChanges, "upsertedNodes" | "removedNodes">): void {
    for (const id of removedNodes) this.#remove(id);
    for (const node of upsertedNodes) this.#upsert(node);
  }

  /** Id of the first node, by id, that makes an object; `undefined` = none is known. */
  makerOf(product: ObjectKey): string | undefined {
    return [...(this.#makers.get(textOf(product)) ?? [])].toSorted()[0];
  }

  #upsert({ id, object }: GraphNode): void {
    const products = object === undefined ? [] : productsOf(object).map(textOf);
    if (products.length === 0 && !this.#products.has(id)) return;
    this.#remove(id);
    if (products.length === 0) return;
    this.#products.set(id, products);
    for (const product of products) this.#makers.set(product, (this.#makers.get(product) ?? new Set()).add(id));
  }

  #remove(id: string): void {
    for (const product of this.#products.get(id) ?? []) {
      const makers = this.#makers.get(product);
      makers?.delete(id);
      if (makers?.size === 0) this.#makers.delete(product);
    }
    this.#products.delete(id);
  }
}

function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
