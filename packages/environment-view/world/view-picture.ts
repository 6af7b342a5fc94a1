import { ViewReader, type ReadEdge, type ReadNode } from "../src/stream/view-reader.ts";

/** What a view shows, in an order that does not depend on what came first. */
export interface ViewPicture {
  readonly nodes: readonly ReadNode[];
  readonly edges: readonly ReadEdge[];
  readonly health: ViewReader["health"];
}

/** A subscriber that keeps what the messages add up to. */
export class PictureReader extends ViewReader {
  get picture(): ViewPicture {
    const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);
    return { nodes: [...this.nodes.values()].toSorted(byId), edges: [...this.edges.values()].toSorted(byId), health: this.health };
  }

  /** The node of an object, "Pod single" or the first of "Pod web-*"; `undefined` when the view does not show it. */
  find(title: string): ReadNode | undefined {
    const [kind = "", name = ""] = title.split(" ");
    const stem = name.endsWith("*") ? name.slice(0, -1) : undefined;
    return [...this.nodes.values()].find(
      ({ ref }) => ref.kind === kind && (stem === undefined ? ref.name === name : ref.name.startsWith(stem)),
    );
  }
}
