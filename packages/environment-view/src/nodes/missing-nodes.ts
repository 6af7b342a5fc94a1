import { isDeepStrictEqual } from "node:util";

import type { ResourceGraph } from "@binnacle/graph";
import { missingHealth, type Why } from "@binnacle/health";

import type { NodeExplainer } from "./node-explainer.ts";
import type { Judgement } from "./node-judge.ts";
import type { ReportedReason, ViewWording } from "./view-wording.ts";

interface Missing {
  /** Ids of the nodes that need it. */
  readonly holders: readonly string[];
  readonly judgement: Judgement;
  /** What the words were made of. */
  readonly explained: Why;
  readonly why: ReportedReason;
}

/** What missing nodes are judged and explained with. */
export interface MissingNodesOptions {
  readonly graph: ResourceGraph;
  readonly explainer: NodeExplainer;
  readonly wording: ViewWording;
}

/** Missing objects that others need; one that is only named as an owner is history, not a fault. */
export class MissingNodes {
  readonly #options: MissingNodesOptions;
  #missing: ReadonlyMap<string, Missing> = new Map();

  constructor(options: MissingNodesOptions) {
    this.#options = options;
  }

  /** Looks at the graph again. @returns ids of what is missing since now, or no longer, or for others, and of those who need it */
  update(): readonly string[] {
    const before = this.#missing;
    const now = this.#find();
    this.#missing = now;
    const changed = [...new Set([...now.keys(), ...before.keys()])].filter((id) => before.get(id) !== now.get(id));
    return changed.flatMap((id) => [id, ...(before.get(id)?.holders ?? []), ...(now.get(id)?.holders ?? [])]);
  }

  /** @returns `undefined` when no object needs it */
  judgementOf(id: string): Judgement | undefined {
    return this.#missing.get(id)?.judgement;
  }

  /** @returns `undefined` when no object needs it */
  whyOf(id: string): ReportedReason | undefined {
    return this.#missing.get(id)?.why;
  }

  #find(): ReadonlyMap<string, Missing> {
    const { graph, explainer, wording } = this.#options;
    const found = new Map<string, Missing>();
    for (const { node, referencedBy } of graph.missingReferences()) {
      const holders = referencedBy.map(({ id }) => id);
      const before = this.#missing.get(node.id);
      const why = explainer.whyMissing(node, referencedBy);
      if (before !== undefined && String(before.holders) === String(holders) && isDeepStrictEqual(before.explained, why)) {
        found.set(node.id, before);
        continue;
      }
      const names = referencedBy.map((holder) => `${holder.kind} ${holder.name}`);
      const judgement = { result: missingHealth(node.kind, node.name, names), rule: "" };
      found.set(node.id, { holders, judgement, explained: why, why: wording.why(why) });
    }
    return found;
  }
}
