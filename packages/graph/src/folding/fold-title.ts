import { PROBLEM_RANK } from "./fold-status.ts";

/**
 * Why nodes are folded: `replicas` are Pods of one owner, `children` others of one owner, `leaves` roots of one kind with
 * nothing below them.
 */
export type FoldReason = "replicas" | "children" | "old-revisions" | "finished-jobs" | "generated-secrets" | "leaves";

/** What a title is made of. */
export interface TitleParts {
  readonly reason: FoldReason;
  readonly kind: string;
  readonly count: number;
  /** Rank of the worst member. */
  readonly worstRank: number;
  /** "ReplicaSet web-7d9"; empty when the members have no owner in common. */
  readonly owner: string;
}

/** What a group is called: "12 pods of ReplicaSet web-7d9", "4 old ReplicaSets", "9 completed Jobs". */
export function foldTitleOf(parts: TitleParts): string {
  const short = shortFoldTitleOf(parts);
  return parts.owner !== "" && (parts.reason === "replicas" || parts.reason === "children") ? `${short} of ${parts.owner}` : short;
}

/** The title without the owner: "12 pods". */
export function shortFoldTitleOf({ reason, kind, count, worstRank }: Omit<TitleParts, "owner">): string {
  const things = pluralOf(kind, count);
  if (reason === "old-revisions") return `${count} old ${things}`;
  // A failed Job is finished, and nobody should read that it was completed.
  if (reason === "finished-jobs") return `${count} ${worstRank >= PROBLEM_RANK ? "finished" : "completed"} ${things}`;
  return `${count} ${reason === "generated-secrets" ? "generated " : ""}${things}`;
}

/** Several of a kind, in English: "ReplicaSets", "pods"; one of it for a count of 1. */
export function pluralOf(kind: string, count: number): string {
  const word = kind === "Pod" ? "pod" : kind;
  if (count === 1 || word === "Endpoints") return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
