import type { GraphChanges, GraphNode } from "@binnacle/graph";
import { isLostWithNode } from "@binnacle/health";
import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

import { nodeNameOf } from "./node-facts.ts";

/** Pods of one node that say something of it, by their ids. */
interface PodsOfNode {
  /** They show that the node is not ready. */
  readonly lost: Map<string, KubeObject>;
  /** They have not started there. */
  readonly waiting: Set<string>;
}

/**
 * Which pods show that their node is not ready, by node: the reason of others that have not started there, also for those who may not read nodes.
 */
export class LostPods {
  readonly #nodes = new Map<string, PodsOfNode>();
  /** Name of the node by the id of each pod that is in `#nodes`. */
  readonly #placed = new Map<string, string>();

  /** Takes changes of the graph in. @returns ids of pods that wait on a node of which something else is known now */
  apply({ upsertedNodes, removedNodes }: Pick<GraphChanges, "upsertedNodes" | "removedNodes">): readonly string[] {
    const before = new Map<string, boolean>();
    const touch = (name: string): void => void (before.has(name) || before.set(name, this.#isLost(name)));
    for (const id of [...removedNodes, ...upsertedNodes.map((node) => node.id)]) {
      const name = this.#placed.get(id);
      if (name === undefined) continue;
      touch(name);
      this.#remove(id, name);
    }
    for (const node of upsertedNodes) {
      const name = node.object === undefined ? "" : nodeNameOf(node.object);
      if (name === "") continue;
      touch(name);
      this.#put(node, name);
    }
    return [...before].flatMap(([name, was]) => (this.#isLost(name) === was ? [] : [...(this.#nodes.get(name)?.waiting ?? [])]));
  }

  /** For a pod that has not started, the first pod, by id, that was lost with its node; `undefined` for any other object. */
  besideOf(object: KubeObject): KubeObject | undefined {
    if (object.kind !== "Pod" || !isWaiting(object)) return undefined;
    const lost = this.#nodes.get(textAt(fieldsAt(object, "spec"), "nodeName"))?.lost;
    let first: string | undefined;
    for (const id of lost?.keys() ?? []) if (first === undefined || id < first) first = id;
    return first === undefined ? undefined : lost?.get(first);
  }

  #isLost(name: string): boolean {
    return (this.#nodes.get(name)?.lost.size ?? 0) > 0;
  }

  #put({ id, object }: GraphNode, name: string): void {
    if (object === undefined) return;
    const [isLost, waits] = [isLostWithNode(object), isWaiting(object)];
    if (!isLost && !waits) return;
    const pods = this.#nodes.get(name) ?? { lost: new Map<string, KubeObject>(), waiting: new Set<string>() };
    if (isLost) pods.lost.set(id, object);
    else pods.waiting.add(id);
    this.#nodes.set(name, pods);
    this.#placed.set(id, name);
  }

  #remove(id: string, name: string): void {
    const pods = this.#nodes.get(name);
    pods?.lost.delete(id);
    pods?.waiting.delete(id);
    if (pods?.lost.size === 0 && pods.waiting.size === 0) this.#nodes.delete(name);
    this.#placed.delete(id);
  }
}

function isWaiting(pod: KubeObject): boolean {
  return ["", "Pending"].includes(textAt(fieldsAt(pod, "status"), "phase"));
}
