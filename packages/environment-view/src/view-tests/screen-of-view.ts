import type { EnvironmentView } from "../engine/environment-view.ts";
import type { ViewMessage } from "../stream/view-model.ts";
import { ViewReader, type ReadNode } from "../stream/view-reader.ts";

/** For tests: what a browser would have of a view. */
export class ScreenOfView extends ViewReader {
  /** Called after each message. */
  onChange: () => void = () => undefined;
  /** What a callback threw; a view must not hear of it. */
  #failure: unknown;
  #vanished: ReadNode[] = [];

  constructor(view: EnvironmentView) {
    super();
    const subscription = view.open(() => {
      const message = subscription.take();
      if (message) this.take(message);
    });
  }

  /** Nodes of objects that were seen and are not shown any more, since the last call. */
  takeVanished(): ReadNode[] {
    const vanished = this.#vanished;
    this.#vanished = [];
    return vanished;
  }

  /** What is shown, but for its age. @throws what a callback threw */
  picture(): unknown {
    if (this.#failure !== undefined) throw this.#failure;
    const byId = <T extends { readonly id: string }>(items: Iterable<T>): T[] => [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      nodes: byId(this.nodes.values()).map(({ id, ref, presence, health }) => ({ id, ref, presence, status: health?.status })),
      edges: [...this.edges.keys()].toSorted(),
      sources: byId(this.sources.values()).map(({ id, settled, shown, total }) => ({ id, settled, shown, total })),
      health: this.health,
      complete: this.complete,
    };
  }

  override take(message: ViewMessage): void {
    const before = this.nodes;
    super.take(message);
    const now = this.nodes;
    for (const [id, node] of before) if (node.presence === "present" && !now.has(id)) this.#vanished.push(node);
    try {
      this.onChange();
    } catch (error) {
      this.#failure ??= error;
    }
  }
}
