import type { Delivery } from "@binnacle/proto/dashboard";
import { DeliveryState, GitopsState } from "@binnacle/proto/dashboard-enums";

import { usageFailure } from "../program/exit-codes.ts";

const LEAST_CHARACTERS = 7;

/** An id of a commit as it was given, or its beginning. @throws CommandFailure (64) */
export function revisionText(text: string): string {
  if (!/^[0-9a-f]{7,64}$/i.test(text))
    throw usageFailure(`--revision is the id of a commit, at least its first ${LEAST_CHARACTERS} digits, not "${text}".`);
  return text.toLowerCase();
}

/**
 * Whether this commit is the one that runs: the last deployment of the main application is of it, or a sync has applied it as a whole. What is
 * only known as of an earlier time does not count.
 */
export function isDeployed(delivery: Delivery | undefined, revision: string): boolean {
  const { lastDeployment, sync } = delivery ?? {};
  if (isCurrent(lastDeployment) && isSame(lastDeployment?.value?.sha ?? "", revision)) return true;
  if (!isCurrent(sync)) return false;
  const { syncs = [], tools = [] } = sync?.value ?? {};
  return (
    syncs.some(({ appliedSha, sha, state }) => state === GitopsState.SYNCED && isSame(appliedSha === "" ? sha : appliedSha, revision)) ||
    tools.some(({ sha, state, asOf }) => state === GitopsState.SYNCED && asOf === undefined && isSame(sha, revision))
  );
}

function isCurrent(of: { readonly state: DeliveryState; readonly asOf?: unknown } | undefined): boolean {
  return of?.state === DeliveryState.KNOWN && of.asOf === undefined;
}

/** Either may be the beginning of the other: those who may not read the project are sent a part. */
function isSame(sha: string, revision: string): boolean {
  return sha.length >= LEAST_CHARACTERS && (sha.startsWith(revision) || revision.startsWith(sha));
}
