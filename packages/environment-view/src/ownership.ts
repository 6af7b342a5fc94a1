import type { GraphNode } from "@binnacle/graph";

/** The nodes of a graph and who is under whom. Every walk is iterative and ends, whatever the owners say. */
export class Ownership {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #children = new Map<string, Set<string>>();

  get(id: string): GraphNode | undefined {
    return this.#nodes.get(id);
  }

  all(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  put(node: GraphNode): void {
    const before = this.#nodes.get(node.id)?.ownerId;
    if (before !== undefined && before !== node.ownerId) this.#unlink(before, node.id);
    this.#nodes.set(node.id, node);
    if (node.ownerId === undefined) return;
    const children = this.#children.get(node.ownerId) ?? new Set<string>();
    children.add(node.id);
    this.#children.set(node.ownerId, children);
  }

  remove(id: string): void {
    const ownerId = this.#nodes.get(id)?.ownerId;
    if (ownerId !== undefined) this.#unlink(ownerId, id);
    this.#nodes.delete(id);
  }

  childrenOf(id: string): GraphNode[] {
    return [...(this.#children.get(id) ?? [])].flatMap((child) => this.#nodes.get(child) ?? []);
  }

  /** Everything below a node, nearest first. */
  descendantsOf(id: string): GraphNode[] {
    const found: GraphNode[] = [];
    const seen = new Set([id]);
    let level = [id];
    while (level.length > 0) {
      const next: string[] = [];
      for (const parent of level) {
        for (const child of this.childrenOf(parent)) {
          if (seen.has(child.id)) continue;
          seen.add(child.id);
          found.push(child);
          next.push(child.id);
        }
      }
      level = next;
    }
    return found;
  }

  /** Owners of a node, nearest first. */
  ancestorsOf(id: string): string[] {
    const found: string[] = [];
    const seen = new Set([id]);
    let ownerId = this.#nodes.get(id)?.ownerId;
    while (ownerId !== undefined && !seen.has(ownerId)) {
      seen.add(ownerId);
      found.push(ownerId);
      ownerId = this.#nodes.get(ownerId)?.ownerId;
    }
    return found;
  }

  #unlink(ownerId: string, id: string): void {
    const children = this.#children.get(ownerId);
    children?.delete(id);
    if (children?.size === 0) this.#children.delete(ownerId);
  }
}
