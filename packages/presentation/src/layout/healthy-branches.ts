import type { Forest } from "@binnacle/graph";
import { STATUS, type InputEdge, type InputNode } from "./graph-input.ts";

/** What ids of such folds begin with. */
export const HEALTHY_FOLD = "fold:healthy:";
/** Up to so many nodes everything is shown. */
export const SHOWN_WHOLE = 150;
/** Above this even two healthy workloads of a namespace are one card. */
const HUGE = 1_000;
/** Otherwise more than so many. */
const FEW = 5;

/** The healthy branches of one namespace: workloads, and what belongs to them alone. */
export interface HealthyBranches {
  readonly id: string;
  readonly namespace: string;
  readonly workloads: readonly InputNode[];
  /** Everything else in these branches. */
  readonly below: readonly InputNode[];
}

/** What folding of branches looks at. */
export interface BranchSurroundings {
  readonly nodes: ReadonlyMap<string, InputNode>;
  readonly edges: ReadonlyMap<string, InputEdge>;
  readonly forest: Forest<InputNode>;
  /** Block of every root; that of a workload is its id. */
  readonly blocks: ReadonlyMap<string, string>;
  readonly choices: FoldChoices;
}

/** What folding heeds besides the graph. */
export interface FoldChoices {
  /** Folds that a person has opened. */
  readonly open: ReadonlySet<string>;
  /** Selected nodes: their branches are shown though they are healthy. */
  readonly wanted: ReadonlySet<string>;
  /** Cards that are shown already: a workload among them stays, so that one that is well again does not vanish. */
  readonly kept: ReadonlySet<string>;
}

/** What is folded, and where those stand now that stay though their block is folded. */
export interface BranchFolding {
  readonly folds: readonly HealthyBranches[];
  readonly movedTo: ReadonlyMap<string, string>;
  /** Folds that are open, of the workloads that they would hold. */
  readonly openFoldOf: ReadonlyMap<string, string>;
}

/**
 * In a large graph the healthy branches of a namespace are one card, so that what is wrong can be seen. A branch is folded when all in its
 * block is well, nothing of it dangles, and none of it is selected; what a branch that is shown needs as well stays beside that. Linear.
 */
export function healthyBranches(surroundings: BranchSurroundings): BranchFolding {
  const { nodes, edges, forest, blocks, choices } = surroundings;
  const openFoldOf = new Map<string, string>();
  if (nodes.size <= SHOWN_WHOLE) return { folds: [], movedTo: new Map(), openFoldOf };
  const blockOf = (id: string): string => blocks.get(forest.rootOf(id)) ?? "";
  const shown = new Set<string>();
  for (const node of nodes.values()) {
    const stays = choices.wanted.has(node.id) || (choices.kept.has(node.id) && blocks.get(node.id) === node.id);
    if (stays || !isWell(node)) shown.add(blockOf(node.id));
  }
  for (const edge of edges.values()) {
    if (edge.style !== "dangling" && (edge.mark === undefined || edge.mark === "flows" || edge.mark === "idle")) continue;
    shown.add(blockOf(edge.source));
    shown.add(blockOf(edge.target));
  }
  const workloads = new Map<string, InputNode[]>();
  for (const node of nodes.values()) {
    if (blocks.get(node.id) !== node.id || shown.has(node.id)) continue;
    const list = workloads.get(node.namespace);
    if (list === undefined) workloads.set(node.namespace, [node]);
    else list.push(node);
  }
  const above = nodes.size > HUGE ? 1 : FEW;
  const foldOf = new Map<string, string>();
  const folds = new Map<string, { readonly namespace: string; readonly workloads: InputNode[]; readonly below: InputNode[] }>();
  for (const [namespace, list] of workloads) {
    const id = `${HEALTHY_FOLD}${namespace}`;
    if (list.length <= above) continue;
    if (choices.open.has(id)) {
      for (const workload of list) openFoldOf.set(workload.id, id);
      continue;
    }
    folds.set(id, { namespace, workloads: list, below: [] });
    for (const { id: block } of list) foldOf.set(block, id);
  }
  const movedTo = movedRoots(surroundings, foldOf);
  for (const node of nodes.values()) {
    const root = forest.rootOf(node.id);
    const block = blocks.get(root) ?? "";
    if (block !== node.id && !movedTo.has(root)) folds.get(foldOf.get(block) ?? "")?.below.push(node);
  }
  return { folds: [...folds].map(([id, fold]) => ({ id, ...fold })), movedTo, openFoldOf };
}

/** What is not a workload and is used by a branch that is shown goes there: with the first by id, whatever came first. */
function movedRoots(
  { edges, forest, blocks, nodes }: BranchSurroundings,
  foldOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const movedTo = new Map<string, string>();
  for (const edge of edges.values()) {
    if (!nodes.has(edge.source) || !nodes.has(edge.target)) continue;
    const [from, to] = [forest.rootOf(edge.source), forest.rootOf(edge.target)];
    for (const [root, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const block = blocks.get(root) ?? "";
      const beside = blocks.get(other) ?? "";
      if (block === root || !foldOf.has(block) || foldOf.has(beside)) continue;
      const before = movedTo.get(root);
      if (before === undefined || beside < before) movedTo.set(root, beside);
    }
  }
  return movedTo;
}

function isWell({ status, presence }: InputNode): boolean {
  return presence === "present" && status <= STATUS.healthy;
}
