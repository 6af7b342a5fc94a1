import type { EnvironmentScope } from "../engine/environment-scope.ts";
import type { ViewSource } from "../stream/view-model.ts";
import { ViewReader } from "../stream/view-reader.ts";
import type { Attention } from "../limits/watch-budget.ts";

/** For tests: what a browser would have of a scope that it looks at until it is closed. */
export class ScopePicture extends ViewReader {
  /** Names of what has ever gone. */
  readonly removed: string[] = [];
  readonly close: () => void;

  constructor(scope: Pick<EnvironmentScope, "open">, attention: Attention = "page") {
    super();
    const subscription = scope.open(
      () => {
        const message = subscription.take();
        if (!message) return;
        const before = message.kind === "delta" && message.removedNodes.length > 0 ? this.nodes : new Map();
        this.take(message);
        for (const [id, node] of before) if (!this.nodes.has(id)) this.removed.push(node.ref.name);
      },
      { attention },
    );
    this.close = () => subscription.close();
  }

  /** Names of what is there, sorted. */
  names(): string[] {
    return [...this.nodes.values()].map(({ ref }) => ref.name).toSorted();
  }

  /** All that must be the same however the scope came about. */
  whole(): object {
    const nodes = [...this.nodes.values()].map(({ id, ref, presence, health, ownerId }) => [
      id,
      `${ref.kind} ${ref.namespace}/${ref.name}`,
      presence,
      health?.status,
      health?.reason,
      ownerId,
    ]);
    return {
      complete: this.complete,
      nodes: nodes.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
      edges: [...this.edges.keys()].toSorted(),
      health: this.health && { status: this.health.status, counts: this.health.counts, hidden: this.health.hidden },
      sources: [...this.sources.values()].map((source) => `${source.id} ${stateOf(source)} ${source.shown}`).toSorted(),
    };
  }
}

/** A kind that is listed now and then shows the same as one that is watched. */
function stateOf({ settled }: ViewSource): string {
  return settled ?? "loading";
}
