import { compareText } from "./compare-text.ts";
import type { FoldGroup, Folding, FoldNode } from "./fold-model.ts";
import { FOLD_ABOVE, generatedGroupOf, manyGroupOf, supersededGroupOf, type FoldCandidate, type FoldSurroundings } from "./fold-rules.ts";
import { countByStatus } from "./fold-status.ts";
import { forestOf, type Forest } from "./forest.ts";

/** How nodes are folded. */
export interface FoldOptions<N extends FoldNode> {
  readonly forest?: Forest<N>;
  /** Ids of the groups that a person has opened: their members are shown by themselves. */
  readonly open?: ReadonlySet<string>;
  /** Place of a root; loose ones are folded only with those of the same place. By default its namespace. */
  readonly placeOf?: (root: N) => string;
  /** More than so many replicas of one owner, or loose ones of one kind, are folded; 5 by default. */
  readonly above?: number;
}

type Rule<N extends FoldNode> = (node: N, surroundings: FoldSurroundings<N>) => FoldCandidate | undefined;

interface Draft<N extends FoldNode> extends FoldCandidate {
  readonly members: N[];
}

/**
 * Folds many of a kind into one and never drops any: replicas of one owner, old ReplicaSets and finished Jobs with what lies below
 * them, generated Secrets, and loose ones of one kind in one place. The groups depend on the nodes, never on their order. Linear
 * but for sorting.
 */
export function foldNodes<N extends FoldNode>(nodes: ReadonlyMap<string, N>, options: FoldOptions<N> = {}): Folding<N> {
  const forest = options.forest ?? forestOf(nodes);
  const placeOfRoot = options.placeOf ?? ((root: N): string => root.namespace);
  const placeOf = (node: N): string => placeOfRoot(nodes.get(forest.rootOf(node.id)) ?? node);
  const surroundings = { forest, placeOf, above: options.above ?? FOLD_ABOVE };
  const groups: FoldGroup<N>[] = [];
  const groupOf = new Map<string, string>();
  const openGroupOf = new Map<string, string>();
  // Superseded ones first: what lies below them goes with them. Secrets that are too few to be a group of their own may still be
  // among the many of one owner.
  for (const rule of [supersededGroupOf, generatedGroupOf, manyGroupOf] satisfies Rule<N>[]) apply(rule);
  groups.sort((left, right) => compareText(left.id, right.id));
  const alone = [...nodes.values()].filter((node) => !groupOf.has(node.id));
  return { groups, alone, groupOf, openGroupOf, forest };

  function apply(rule: Rule<N>): void {
    for (const draft of outerFirst(draftsOf(rule))) {
      const members = draft.members.filter((member) => !groupOf.has(member.id));
      if (members.length <= draft.above) continue;
      if (options.open?.has(draft.id) === true) for (const member of members) openGroupOf.set(member.id, draft.id);
      else groups.push(close({ ...draft, members }));
    }
  }

  function draftsOf(rule: Rule<N>): Draft<N>[] {
    const drafts = new Map<string, Draft<N>>();
    for (const node of nodes.values()) {
      const candidate = rule(node, surroundings);
      if (candidate === undefined || groupOf.has(node.id) || openGroupOf.has(node.id)) continue;
      const known = drafts.get(candidate.id);
      if (known === undefined) drafts.set(candidate.id, { ...candidate, members: [node] });
      else known.members.push(node);
    }
    return [...drafts.values()].filter((draft) => draft.members.length > draft.above);
  }

  /** So that what lies below a folded node is not folded again, whatever came first. */
  function outerFirst(drafts: readonly Draft<N>[]): readonly Draft<N>[] {
    // Members of a group have one depth; but generated Secrets, of which no two groups share a tree.
    const depths = new Map(drafts.map(({ id, members }) => [id, forest.depthOf(members[0]?.id ?? "")]));
    return [...drafts].sort((left, right) => (depths.get(left.id) ?? 0) - (depths.get(right.id) ?? 0) || compareText(left.id, right.id));
  }

  function close({ id, reason, members }: Draft<N>): FoldGroup<N> {
    members.sort(byName);
    for (const member of members) groupOf.set(member.id, id);
    const below: N[] = [];
    for (const member of members) {
      for (const each of forest.treeOf(member.id)) {
        if (groupOf.has(each.id)) continue;
        groupOf.set(each.id, id);
        below.push(each);
      }
    }
    return { id, reason, members, below, ...summaryOf(members, below) };
  }

  function summaryOf(members: readonly N[], below: readonly N[]): Summary<N> {
    const counts = countByStatus<N["status"]>(members);
    return {
      group: members[0]?.group ?? "",
      kind: members[0]?.kind ?? "",
      namespace: sameOf(members, (node) => node.namespace),
      ownerId: sameOf(members, (node) => forest.parentOf(node.id) ?? ""),
      counts,
      belowCounts: countByStatus<N["status"]>(below),
      worst: counts[0]?.[0] ?? "",
    };
  }
}

/** All nodes that were folded, sorted by id: nothing more, nothing less. */
export function unfoldNodes<N extends FoldNode>({ alone, groups }: Pick<Folding<N>, "alone" | "groups">): N[] {
  const nodes = [...alone, ...groups.flatMap(({ members, below }) => [...members, ...below])];
  return nodes.sort((left, right) => compareText(left.id, right.id));
}

type Summary<N extends FoldNode> = Omit<FoldGroup<N>, "id" | "reason" | "members" | "below">;

/** What all nodes have in common; empty when they differ. */
function sameOf<N>(nodes: readonly N[], textOf: (node: N) => string): string {
  const [first, ...rest] = nodes;
  const text = first === undefined ? "" : textOf(first);
  return rest.every((node) => textOf(node) === text) ? text : "";
}

function byName(left: FoldNode, right: FoldNode): number {
  return compareText(left.name, right.name) || compareText(left.id, right.id);
}
