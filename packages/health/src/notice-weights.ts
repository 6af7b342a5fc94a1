import { nameOfObject } from "./why/root-key.ts";
import type { HealthRef } from "./health-result.ts";
import type { HealthNotice } from "./why/why.ts";
import type { Facts } from "@binnacle/words";

/**
 * What a notice is to the list of issues.
 * - `issue`: no status shows it, and a user has to fix it.
 * - `uncounted`: it is intended, or it may become an issue; listed below the issues, in no count.
 * - `elsewhere`: it is a consequence of another issue, or states only that something is not visible.
 */
export type NoticeWeight = "issue" | "uncounted" | "elsewhere";

/**
 * The weight of every notice that there is, by the id of its words. Where the line between the first two runs is taken from the alerts of
 * kubernetes-mixin: an autoscaler at its maximum warns, a quota that is nearly used up is for information.
 */
export const NOTICE_WEIGHTS: Readonly<Record<string, NoticeWeight>> = {
  "network/no-endpoints": "issue",
  "network/port-missing": "issue",
  "network/certificate-expired": "issue",
  "network/certificate-not-yet-valid": "issue",
  "network/certificate-expires-soon": "issue",
  "network/certificate-chain-expired": "issue",
  "network/certificate-host": "issue",
  "network/certificate-unreadable": "issue",
  "network/certificate-wrong-type": "issue",
  "scheduling/resize-infeasible": "issue",
  "scheduling/resize-failed": "issue",
  "autoscaling/at-maximum": "issue",
  "autoscaling/budget-sync-failed": "issue",
  "storage/resize-failed": "issue",
  "storage/modify-failed": "issue",
  "ownership/ring": "issue",
  "ownership/other-namespace": "issue",

  "autoscaling/no-disruption": "uncounted",
  "creation/quota-near": "uncounted",
  "scheduling/resize-deferred": "uncounted",
  "storage/resize-waits-for-pod": "uncounted",
  "storage/waits-for-consumer": "uncounted",
  "network/no-address-published": "uncounted",
  "resource/restarts": "uncounted",
  "lifecycle/left-behind": "uncounted",
  "rollout/on-delete": "uncounted",
  "rollout/no-nodes": "uncounted",

  // The pods that are not ready belong to a workload, and what is missing is Missing itself.
  "network/no-ready-endpoints": "elsewhere",
  "network/slice-not-ready": "elsewhere",
  "network/backend-not-ready": "elsewhere",
  "network/backend-missing": "elsewhere",
  "network/no-address-seen": "elsewhere",
  "reference/config-map": "elsewhere",
  "reference/secret": "elsewhere",
  "reference/key": "elsewhere",
  "reference/claim": "elsewhere",
  "reference/service-account": "elsewhere",
  "reference/service": "elsewhere",
  "reference/storage-class": "elsewhere",
  "reference/other": "elsewhere",
  "reference/made": "elsewhere",
};

/** What a notice is to the list of issues; one without a weight is shown only at its resource. */
export function weightOfNotice({ message }: Pick<HealthNotice, "message">): NoticeWeight {
  return Object.hasOwn(NOTICE_WEIGHTS, message.id) ? (NOTICE_WEIGHTS[message.id] ?? "elsewhere") : "elsewhere";
}

/**
 * What is to be fixed, as `Why.rootKey`: never the key of an object that is not well, because it is another fault of it. All that serve with one
 * certificate, or asks one Service for a port that it lacks, has the same.
 */
export function keyOfNotice(ref: HealthRef, { message }: Pick<HealthNotice, "message">): string {
  const about = message.id.startsWith("network/certificate-") ? certificateOf(ref, message.facts) : portsOf(message);
  return `notice/${message.id}/${about ?? nameOfObject(ref)}`;
}

function certificateOf({ namespace }: HealthRef, { secret, hosts }: Facts): string | undefined {
  // Which hosts are not covered is each holder's own.
  return typeof secret === "string" && hosts === undefined ? `${namespace}/${secret}` : undefined;
}

function portsOf({ id, facts }: HealthNotice["message"]): string | undefined {
  return id === "network/port-missing" ? JSON.stringify([facts["namespace"], facts["backend"], facts["ports"]]) : undefined;
}
