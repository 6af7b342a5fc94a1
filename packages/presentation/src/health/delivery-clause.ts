import type { Delivery, GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import { words, type Words } from "@binnacle/words";

/**
 * What is wrong with the delivery of an environment, as a part of a sentence about its health: "the last 2 commits are not deployed". The worst
 * of its issues counts; `undefined` when there is none.
 */
export function deliveryClause(delivery: Delivery | undefined): Words | undefined {
  const [issue] = delivery?.issues ?? [];
  if (issue === undefined) return undefined;
  const what = clauseOf(issue.reason, delivery?.sync?.value?.syncs ?? []);
  return what && issue.words?.id === "sync-issue/last-known" ? words("environment/delivery/last-known", { what }) : what;
}

/** @param reason stable word, as `server/delivery/delivery-issues.ts` has it */
function clauseOf(reason: string, syncs: readonly GitopsSync[]): Words | undefined {
  switch (reason) {
    case "SyncRefused":
      return commitsWords(syncs.filter(({ state }) => state === GitopsState.INVALID)) ?? words("environment/delivery/refused");
    case "SyncFailed":
      return words("environment/delivery/failed", { commits: commitsWords(syncs.filter(isFailed)) });
    case "PruneHeld":
      return words("environment/delivery/held");
    case "SourceUnavailable":
      return words("environment/delivery/source");
    default:
      return undefined;
  }
}

/** How many commits wait; `undefined` while that is not known. */
function commitsWords(syncs: readonly GitopsSync[]): Words | undefined {
  const count = syncs.reduce((sum, { waitingCommits = 0 }) => sum + waitingCommits, 0);
  if (count === 0) return undefined;
  return words(syncs.some(({ moreWaiting }) => moreWaiting) ? "environment/delivery/more-commits" : "environment/delivery/commits", {
    count,
  });
}

function isFailed({ state, failed }: GitopsSync): boolean {
  return state === GitopsState.FAILED || failed > 0;
}
