import { issueTitle } from "@binnacle/health";
import type { IssueGroup, ResourceHealth } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words, type Words } from "@binnacle/words";

/** The texts of an issue, taken from its first member. */
export function wordsOf(health: ResourceHealth | undefined): Partial<Pick<IssueGroup, "words" | "next">> {
  const [sentence, next] = [health?.why?.words ?? health?.words, health?.why?.next];
  return { ...(sentence === undefined ? {} : { words: sentence }), ...(next === undefined ? {} : { next }) };
}

/** A reason of the made-up world with the words that a view has for it. */
export function reasonOf(reason: string): Pick<IssueGroup, "reason"> & Required<Pick<IssueGroup, "reasonWords">> {
  return { reason, reasonWords: toWordsMessage(issueTitle({ reason, message: SENTENCES[reason] ?? quoted(reason) })) };
}

const SENTENCES: Readonly<Record<string, Words>> = {
  ConfigMapNotFound: words("reference/config-map", { name: "checkout-flags" }),
  CreateContainerConfigError: words("start/config"),
  NoReadyEndpoints: words("network/no-ready-endpoints"),
  OOMKilled: words("crash/oom"),
  Unschedulable: words("scheduling/resources"),
};
