import type { EventTarget, GraphNode, ResourceGraph } from "@binnacle/graph";
import type { ObjectKey } from "@binnacle/kube";

import type { ScopeFilter } from "./scope-filter.ts";

/** Objects of a view by what others call them. */
export class NamedObjects {
  readonly #graph: Pick<ResourceGraph, "findTarget" | "ancestorsOf" | "node">;
  readonly #filter: Pick<ScopeFilter, "isShown" | "hides">;

  constructor(graph: Pick<ResourceGraph, "findTarget" | "ancestorsOf" | "node">, filter: Pick<ScopeFilter, "isShown" | "hides">) {
    this.#graph = graph;
    this.#filter = filter;
  }

  /** What is at the top of the owners of an object, perhaps itself. */
  topOf(key: ObjectKey): ObjectKey {
    const id = this.#graph.findTarget({ key, uid: "" });
    const top = id === undefined ? undefined : this.#graph.ancestorsOf(id).at(-1);
    return (top === undefined ? undefined : this.#graph.node(top)) ?? key;
  }

  /** Whether an object is among those that are shown. */
  shows(key: ObjectKey): boolean {
    const id = this.#graph.findTarget({ key, uid: "" });
    return id !== undefined && this.#filter.isShown(id);
  }

  /** Whether the scope's own rules keep a kind out of sight. */
  hides(key: ObjectKey): boolean {
    return this.#filter.hides(key);
  }

  /** What a target is, when it is there and shown. */
  find(target: EventTarget): ObjectKey | undefined {
    return this.#shownNode(this.#graph.findTarget(target));
  }

  /** The topmost of the owners of a target that are shown, perhaps itself; `undefined` when it is not shown. */
  shownTopOf(target: EventTarget): ObjectKey | undefined {
    const id = this.#graph.findTarget(target);
    if (this.#shownNode(id) === undefined || id === undefined) return undefined;
    return this.#shownNode(this.#graph.ancestorsOf(id).findLast((each) => this.#filter.isShown(each)) ?? id);
  }

  #shownNode(id: string | undefined): GraphNode | undefined {
    const node = id !== undefined && this.#filter.isShown(id) ? this.#graph.node(id) : undefined;
    return node?.presence === "present" ? node : undefined;
  }
}
