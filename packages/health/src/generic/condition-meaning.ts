/** What a condition type means when it is True. */
export type Meaning = "good" | "bad" | "busy" | "other";

const GOOD =
  /(?:Available|Healthy|Synced|Accepted|Programmed|Established|Succeeded|Applied|Ready|Deployed|Installed|Initiali[sz]ed|Reconciled|ReconcileSuccess|Bound|Valid|ResolvedRefs|Connected|Provisioned|Created|Configured|Resolved|Completed?|Finished|Verified|Approved|Registered|Reachable|Attached|Running|Active|Online)$/;

const BAD =
  /(?:Failed|Failure|Error|Errors|Errored|Degraded|Warning|Conflict|Conflicted|Stalled|Terminal|Invalid|Unhealthy|NotReady|Unavailable|Rejected|Denied|Unreachable|Broken)$/;

const BUSY =
  /(?:Updating|Issuing|RollingUpdate|Progressing|Reconciling|Upgrading|Creating|Provisioning|Initiali[sz]ing|Pending|InProgress|Deleting|Scaling)$/;

/** Types that are False for as long as the work lasts, so that False alone is no fault. */
const AT_THE_END = /(?:Completed?|Finished|Running|Active|Approved)$/;

const cache = new Map<string, Meaning>();

/** Meaning of a condition type, by its last word: "ACK.ResourceSynced" is about Synced. */
export function meaningOf(type: string): Meaning {
  const known = cache.get(type);
  if (known !== undefined) return known;
  const meaning = BAD.test(type) ? "bad" : BUSY.test(type) ? "busy" : GOOD.test(type) ? "good" : "other";
  // Types come from clusters: do not grow without end.
  if (cache.size < 5_000) cache.set(type, meaning);
  return meaning;
}

/** Whether False is normal until the end. */
export function isEndType(type: string): boolean {
  return AT_THE_END.test(type);
}
