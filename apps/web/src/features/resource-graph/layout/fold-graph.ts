import { foldNodes, forestOf, type FoldGroup, type Forest } from "@binnacle/graph";
import { drawnName } from "../../../ui/drawn-name.ts";
import { blocksOf } from "./blocks.ts";
import type { Card } from "./card.ts";
import { columnsOf } from "./columns.ts";
import type { InputEdge, InputNode } from "./graph-input.ts";

/** A graph after folding. */
export interface FoldedGraph {
  readonly cards: ReadonlyMap<string, Card>;
  /** Card that shows a node; every node has one, folded or not. */
  readonly cardOf: ReadonlyMap<string, string>;
  readonly forest: Forest<InputNode>;
}

/**
 * The cards of a graph: what is folded, and why, is for `foldNodes` to say; here each group and each node that is left gets its column and its
 * block. Loose ones are folded with those of the same block.
 *
 * @param open ids of the folds that a person has opened
 */
export function foldGraph(
  nodes: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
  open: ReadonlySet<string>,
): FoldedGraph {
  const forest = forestOf(nodes);
  const columns = columnsOf(nodes, forest.childrenOf);
  const blocks = blocksOf(nodes, forest, edges.values());
  const placeOf = (root: InputNode): string => blocks.get(root.id) ?? "rest:";
  const folding = foldNodes(nodes, { forest, open, placeOf });
  const cardOf = new Map(folding.groupOf);
  for (const node of folding.alone) cardOf.set(node.id, node.id);
  const cards = new Map<string, Card>();
  for (const group of folding.groups) {
    const [first] = group.members;
    if (first !== undefined) cards.set(group.id, { ...placed(first), ...foldCard(group), parentId: cardIdOf(group.ownerId, group.id) });
  }
  for (const node of folding.alone) {
    const card = nodeCard(node, folding.openGroupOf.get(node.id) ?? "");
    cards.set(node.id, { ...placed(node), ...card, parentId: cardIdOf(forest.parentOf(node.id) ?? "", node.id) });
  }
  return { cards, cardOf, forest };

  function placed(node: InputNode): Pick<Card, "column" | "block"> {
    return { column: columns.get(node.id) ?? 2, block: blocks.get(forest.rootOf(node.id)) ?? "rest:" };
  }

  function cardIdOf(ownerId: string, self: string): string {
    const card = cardOf.get(ownerId) ?? "";
    return card === self ? "" : card;
  }
}

type Unplaced = Omit<Card, "column" | "block" | "parentId">;

function foldCard({
  id,
  group,
  kind,
  namespace,
  members,
  below,
  counts,
  belowCounts,
  worst,
  title,
  shortTitle,
}: FoldGroup<InputNode>): Unplaced {
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
    title: drawnName(title),
    shortTitle: drawnName(shortTitle),
    foldId: "",
  };
}

function nodeCard({ id, group, kind, namespace, name, presence, status }: InputNode, foldId: string): Unplaced {
  const nothing = { members: [], below: 0, worstBelow: 0, counts: [], title: "", shortTitle: "" };
  return { id, type: "node", group, kind, namespace, name, presence, status, ...nothing, foldId };
}
