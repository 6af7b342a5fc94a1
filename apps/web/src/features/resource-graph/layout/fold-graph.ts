import { blocksOf } from "./blocks.ts";
import type { Card } from "./card.ts";
import { columnsOf, isLoose } from "./columns.ts";
import { forestOf, type Forest } from "./forest.ts";
import type { InputEdge, InputNode } from "./graph-input.ts";

/** More pods (or ConfigMaps, Secrets, …) of one owner than this are folded. */
const FOLD_ABOVE = 5;

/** A graph after folding. */
export interface FoldedGraph {
  readonly cards: ReadonlyMap<string, Card>;
  /** Card that shows a node; every node has one, folded or not. */
  readonly cardOf: ReadonlyMap<string, string>;
  readonly forest: Forest;
}

interface Fold {
  readonly id: string;
  readonly members: readonly InputNode[];
}

/**
 * Folds many of a kind into one card and never drops any. Folded by default: more than five pods of one owner, superseded ReplicaSets and Jobs
 * (two or more of one owner), more than five of a kind beside a workload, and more than five loose ones of a kind in a namespace.
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
  const blockOf = (node: InputNode): string => blocks.get(forest.rootOf(node.id)) ?? "rest:";
  const cards = new Map<string, Card>();
  const cardOf = new Map<string, string>();
  const openFoldOf = new Map<string, string>();
  for (const fold of foldsOf(nodes, forest, blockOf)) {
    if (open.has(fold.id)) for (const member of fold.members) openFoldOf.set(member.id, fold.id);
    else addFold(fold);
  }
  for (const node of nodes.values()) {
    if (cardOf.has(node.id)) continue;
    cardOf.set(node.id, node.id);
    cards.set(node.id, nodeCard(node));
  }
  return { cards: withParents(cards, cardOf, nodes), cardOf, forest };

  function addFold(fold: Fold): void {
    const first = fold.members[0];
    // A member may lie below another fold already: a folded Job takes its pods with it.
    const members = fold.members.filter((member) => !cardOf.has(member.id));
    if (first === undefined || members.length === 0) return;
    let below = -members.length;
    for (const member of members) {
      for (const each of forest.treeOf(member.id)) {
        if (!cardOf.has(each.id)) below += 1;
        cardOf.set(each.id, fold.id);
      }
    }
    cards.set(fold.id, {
      ...nodeCard(first),
      id: fold.id,
      type: "fold",
      name: "",
      presence: "present",
      status: Math.max(...members.map((member) => member.status)),
      members: members.map((member) => member.id),
      below,
      counts: countByStatus(members),
      foldId: "",
    });
  }

  function nodeCard(node: InputNode): Card {
    return {
      id: node.id,
      type: "node",
      group: node.group,
      kind: node.kind,
      namespace: node.namespace,
      name: node.name,
      presence: node.presence,
      status: node.status,
      members: [],
      below: 0,
      counts: [],
      foldId: openFoldOf.get(node.id) ?? "",
      column: columns.get(node.id) ?? 2,
      parentId: "",
      block: blockOf(node),
    };
  }
}

/** Numbers of nodes by status, worst first. */
function countByStatus(nodes: readonly Pick<InputNode, "status">[]): (readonly [number, number])[] {
  const counts = new Map<number, number>();
  for (const node of nodes) counts.set(node.status, (counts.get(node.status) ?? 0) + 1);
  return [...counts].sort((left, right) => right[0] - left[0]);
}

/** Outer folds come first, so that what lies below a folded node is not folded again. */
function foldsOf(nodes: ReadonlyMap<string, InputNode>, forest: Forest, blockOf: (node: InputNode) => string): readonly Fold[] {
  const superseded = new Map<string, InputNode[]>();
  const many = new Map<string, InputNode[]>();
  for (const node of nodes.values()) {
    const isRoot = forest.rootOf(node.id) === node.id;
    if (node.superseded) push(superseded, `fold:old:${isRoot ? node.namespace : node.ownerId}:${node.kind}`, node);
    else if (node.presence !== "present") continue;
    else if (!isRoot && (node.kind === "Pod" || isLoose(node.kind))) push(many, `fold:of:${node.ownerId}:${node.kind}`, node);
    else if (isRoot && mayFoldAsRoot(node, forest)) push(many, `fold:in:${blockOf(node)}:${node.group}/${node.kind}`, node);
  }
  return [
    ...[...superseded].filter(([, members]) => members.length > 1),
    ...[...many].filter(([, members]) => members.length > FOLD_ABOVE),
  ].map(([id, members]) => ({ id, members }));
}

function mayFoldAsRoot(node: InputNode, forest: Forest): boolean {
  return forest.childrenOf(node.id).length === 0 && node.kind !== "Deployment" && node.kind !== "StatefulSet" && node.kind !== "DaemonSet";
}

function push(groups: Map<string, InputNode[]>, key: string, node: InputNode): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [node]);
  else group.push(node);
}

function withParents(
  cards: ReadonlyMap<string, Card>,
  cardOf: ReadonlyMap<string, string>,
  nodes: ReadonlyMap<string, InputNode>,
): ReadonlyMap<string, Card> {
  const placed = new Map<string, Card>();
  for (const [id, card] of cards) {
    const ownerId = nodes.get(card.members[0] ?? id)?.ownerId ?? "";
    const parentId = ownerId === "" ? "" : (cardOf.get(ownerId) ?? "");
    placed.set(id, parentId === "" || parentId === id ? card : { ...card, parentId });
  }
  return placed;
}
