import { words, type Facts, type Words, type WordsId } from "@binnacle/words";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { tLater } from "../text/messages.ts";
import { isProblem } from "../health/health-status.ts";
import type { Card } from "./card.ts";

/** What titles are made of. */
export type FoldedCard = Pick<Card, "fold" | "owner" | "kind" | "members" | "status" | "namespace">;

/** What a fold is called: "12 pods of ReplicaSet web-7d9", "4 old ReplicaSets", "9 healthy workloads of shop". */
export function titleOfFold(card: FoldedCard): string {
  if (card.fold === "healthy-branches") {
    return tLater("resource-graph/fold/workloads", { count: card.members.length, namespace: drawnName(card.namespace) });
  }
  return card.owner === ""
    ? shortTitleOfFold(card)
    : tLater("resource-graph/fold/of", { what: thingsOf(card), owner: drawnName(card.owner) });
}

/** The title without the owner: "12 pods". */
export function shortTitleOfFold(card: FoldedCard): string {
  const { id, facts } = thingsOf(card);
  return tLater(id, facts);
}

function thingsOf(card: FoldedCard): Words & { readonly id: WordsId; readonly facts: Facts } {
  const count = card.members.length;
  const id = idOf(card);
  return { ...words(id, { count, kinds: drawnName(pluralOf(card.kind, count)) }), id };
}

function idOf({ fold, kind, status }: FoldedCard): WordsId {
  if (fold === "healthy-branches") return "resource-graph/fold/healthy";
  if (fold === "old-revisions") return "resource-graph/fold/old";
  // A failed Job is finished, and must not be described as completed.
  if (fold === "finished-jobs") return isProblem(status) ? "resource-graph/fold/finished" : "resource-graph/fold/completed";
  if (fold === "generated-secrets") return "resource-graph/fold/generated";
  return kind === "Pod" ? "ui/pod-count" : "resource-graph/fold/kinds";
}

/** Several of a kind, in English: "ReplicaSets", "pods"; one of it for a count of 1. */
function pluralOf(kind: string, count: number): string {
  const word = kind === "Pod" ? "pod" : kind;
  if (count === 1 || word === "Endpoints") return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
