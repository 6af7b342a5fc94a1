import type { FoldNode } from "./fold-model.ts";
import type { FoldReason } from "./fold-reason.ts";
import type { Forest } from "./forest.ts";
import { isGeneratedSecretNode } from "./generated-secret.ts";
import { isSupporting } from "./supporting-kinds.ts";

/** More Pods (or ConfigMaps, Secrets, …) of one owner, or loose ones of one kind, than this are folded. */
export const FOLD_ABOVE = 5;
/** Old revisions and finished Jobs are of little interest: two are folded already. Generated Secrets: three. */
const SUPERSEDED_ABOVE = 1;
const GENERATED_ABOVE = 2;

/** Kinds that are looked for one by one, even with nothing below them. */
const NEVER_LEAVES: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** A group that a node would belong to, if enough others would as well. */
export interface FoldCandidate {
  readonly id: string;
  readonly reason: FoldReason;
  /** Folded only when there are more than so many. */
  readonly above: number;
}

/** What the rules look at. */
export interface FoldSurroundings<N extends FoldNode> {
  readonly forest: Forest<N>;
  /** Place of a node's root: loose ones are folded together only with those of the same place. */
  readonly placeOf: (node: N) => string;
  readonly above: number;
}

/** Group of old ReplicaSets or finished Jobs. */
export function supersededGroupOf<N extends FoldNode>(node: N, { forest }: FoldSurroundings<N>): FoldCandidate | undefined {
  if (node.superseded !== true) return undefined;
  const owner = forest.parentOf(node.id);
  const where = owner === undefined ? `old-in:${node.namespace}` : `old:${owner}`;
  const reason = node.kind === "Job" ? "finished-jobs" : "old-revisions";
  return { id: `fold:${where}:${kindOf(node)}`, reason, above: SUPERSEDED_ABOVE };
}

/** Group of the Secrets that programs wrote. */
export function generatedGroupOf<N extends FoldNode>(node: N, { placeOf }: FoldSurroundings<N>): FoldCandidate | undefined {
  if (node.presence !== "present" || !isGeneratedSecretNode(node)) return undefined;
  return { id: `fold:generated:${placeOf(node)}:Secret`, reason: "generated-secrets", above: GENERATED_ABOVE };
}

/** Group of the many of one owner, or of the loose ones of one kind. */
export function manyGroupOf<N extends FoldNode>(node: N, { forest, placeOf, above }: FoldSurroundings<N>): FoldCandidate | undefined {
  if (node.presence !== "present" || node.superseded === true) return undefined;
  const owner = forest.parentOf(node.id);
  if (owner !== undefined) {
    if (node.kind !== "Pod" && !isSupporting(node.kind)) return undefined;
    return { id: `fold:of:${owner}:${kindOf(node)}`, reason: node.kind === "Pod" ? "replicas" : "children", above };
  }
  if (NEVER_LEAVES.has(node.kind) || forest.childrenOf(node.id).length > 0) return undefined;
  return { id: `fold:in:${placeOf(node)}:${node.group}/${node.kind}`, reason: "leaves", above };
}

function kindOf({ group, kind }: FoldNode): string {
  return group === "" ? kind : `${kind}.${group}`;
}
