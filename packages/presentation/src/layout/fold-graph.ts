import { foldNodes, forestOf, type FoldGroup, type Forest } from "@binnacle/graph";
import { blocksOf } from "./blocks.ts";
import type { Card } from "./card.ts";
import { columnsOf, WORKLOADS } from "./columns.ts";
import { STATUS, type InputEdge, type InputNode } from "./graph-input.ts";
import { healthyBranches, type FoldChoices, type HealthyBranches } from "./healthy-branches.ts";

/** A graph after folding. */
export interface FoldedGraph {
  readonly cards: ReadonlyMap<string, Card>;
  /** Card that shows a node; every node has one, folded or not. */
  readonly cardOf: ReadonlyMap<string, string>;
  readonly forest: Forest<InputNode>;
}

const NO_CHOICES: FoldChoices = { open: new Set(), wanted: new Set(), kept: new Set() };

/**
 * The cards of a graph. In a large one healthy branches are folded first; what else is folded, and why, is for `foldNodes` to say. Each group
 * and each node that is left gets its column and its block. Loose ones are folded with those of the same block.
 */
export function foldGraph(
  nodes: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge> = new Map(),
  choices: Partial<FoldChoices> = {},
): FoldedGraph {
  const forest = forestOf(nodes);
  const columns = columnsOf(nodes, forest.childrenOf);
  const blocks = new Map(blocksOf(nodes, forest, edges.values()));
  const { folds, movedTo, openFoldOf } = healthyBranches({ nodes, edges, forest, blocks, choices: { ...NO_CHOICES, ...choices } });
  for (const [root, block] of movedTo) blocks.set(root, block);
  const placeOf = (root: InputNode): string => blocks.get(root.id) ?? "rest:";
  const cardOf = new Map<string, string>();
  for (const fold of folds) for (const node of [...fold.workloads, ...fold.below]) cardOf.set(node.id, fold.id);
  const rest = folds.length === 0 ? nodes : new Map([...nodes].filter(([id]) => !cardOf.has(id)));
  const folding = foldNodes(rest, { forest, open: choices.open ?? NO_CHOICES.open, placeOf });
  for (const [id, group] of folding.groupOf) cardOf.set(id, group);
  for (const node of folding.alone) cardOf.set(node.id, node.id);
  const cards = new Map<string, Card>(folds.map((fold) => [fold.id, branchesCard(fold)]));
  for (const group of folding.groups) {
    const [first] = group.members;
    if (first !== undefined)
      cards.set(group.id, { ...placed(first), ...foldCard(group, ownerOf(group.ownerId)), parentId: cardIdOf(group.ownerId, group.id) });
  }
  for (const node of folding.alone) {
    const card = nodeCard(node, folding.openGroupOf.get(node.id) ?? openFoldOf.get(node.id) ?? "");
    cards.set(node.id, { ...placed(node), ...card, parentId: cardIdOf(forest.parentOf(node.id) ?? "", node.id) });
  }
  return { cards, cardOf, forest };

  function placed(node: InputNode): Pick<Card, "column" | "block"> {
    return { column: columns.get(node.id) ?? 2, block: blocks.get(forest.rootOf(node.id)) ?? "rest:" };
  }

  function ownerOf(id: string): string {
    const owner = nodes.get(id);
    return owner === undefined ? "" : `${owner.kind} ${owner.name}`;
  }

  function cardIdOf(ownerId: string, self: string): string {
    const card = cardOf.get(ownerId) ?? "";
    return card === self ? "" : card;
  }
}

function branchesCard({ id, namespace, workloads, below }: HealthyBranches): Card {
  return {
    id,
    type: "fold",
    group: workloads[0]?.group ?? "",
    kind: workloads[0]?.kind ?? "",
    namespace,
    name: "",
    presence: "present",
    status: STATUS.healthy,
    members: workloads.map((workload) => workload.id),
    below: below.length,
    worstBelow: STATUS.healthy,
    counts: [[STATUS.healthy, workloads.length]],
    fold: "healthy-branches",
    owner: "",
    superseded: false,
    foldId: "",
    column: WORKLOADS,
    parentId: "",
    block: id,
  };
}

type Unplaced = Omit<Card, "column" | "block" | "parentId">;

function foldCard(folded: FoldGroup<InputNode>, owner: string): Unplaced {
  const { id, group, kind, namespace, members, below, counts, belowCounts, worst, reason } = folded;
  return {
    id,
    type: "fold",
    group,
    kind,
    namespace,
    name: "",
    presence: "present",
    status: worst,
    members: members.map((member) => member.id),
    below: below.length,
    worstBelow: belowCounts[0]?.[0] ?? 0,
    counts,
    fold: reason,
    owner: reason === "replicas" || reason === "children" ? owner : "",
    superseded: reason === "old-revisions" || reason === "finished-jobs",
    foldId: "",
  };
}

function nodeCard({ id, group, kind, namespace, name, presence, status, superseded }: InputNode, foldId: string): Unplaced {
  const nothing = { members: [], below: 0, worstBelow: 0, counts: [], owner: "" };
  return { id, type: "node", group, kind, namespace, name, presence, status, superseded, ...nothing, foldId };
}
