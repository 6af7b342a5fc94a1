import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import { noticesOf, whyMissing, whyOf, type HealthContext, type HealthNotice, type HealthResult, type Why } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import type { EventIndex } from "./event-index.ts";
import { healthRefOf } from "./view-names.ts";

/** What an explainer works with. */
export interface NodeExplainerOptions {
  readonly graph: ResourceGraph;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly events: EventIndex;
}

/** Says why a node is not well, with everything that the graph and the events know around it. */
export class NodeExplainer {
  readonly #options: NodeExplainerOptions;

  constructor(options: NodeExplainerOptions) {
    this.#options = options;
  }

  /** @returns `null` for what is well */
  why(node: GraphNode, object: KubeObject, result: HealthResult): Why | null {
    if (result.status === "Healthy") return null;
    const { graph, events } = this.#options;
    const ids = [node.id, ...graph.descendantsOf(node.id)];
    return whyOf(object, {
      ...this.#context(graph.contextOf(node.id)),
      events: ids.flatMap((id) => events.of(id)),
      missing: graph.missingOf(node.id).map(healthRefOf),
      health: result,
    });
  }

  /** Why a ghost is missed. */
  whyMissing(ghost: GraphNode, referencedBy: readonly GraphNode[]): Why {
    return whyMissing(healthRefOf(ghost), referencedBy.map(healthRefOf));
  }

  /** What is worth knowing and leaves the status alone. */
  notices(object: KubeObject, related: readonly KubeObject[] | undefined): readonly HealthNotice[] {
    return noticesOf(object, this.#context(related));
  }

  #context(related: readonly KubeObject[] | undefined): HealthContext {
    return { now: new Date(this.#options.now()), ...(related === undefined ? {} : { related }) };
  }
}
