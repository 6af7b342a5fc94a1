import type { Catalogue } from "../catalogue.ts";

/** Health of workloads, by their counts. Facts: count of wanted, said. */
export const WORKLOAD = {
  "workload/not-created": "Pods cannot be created{has_said, select, no {} other {: {said}}}",
  "workload/not-deleted": "Pods cannot be deleted{has_said, select, no {} other {: {said}}}",
  "workload/scaled-to-zero": "Scaled to zero",
  "workload/replicas-available": "{count} of {wanted} replicas are available",
  "workload/replicas-ready": "{count} of {wanted} replicas are ready",
  "workload/pods-ready": "{count} of {wanted} pods are ready",
  "workload/pods-ready-on-delete": "{count} of {wanted} pods are ready; updates wait for deletion",
  "workload/pods-available": "{count} of {wanted} pods are available",
  "workload/pods-updated": "{count} of {wanted} pods have been updated",
  "workload/min-ready":
    "All pods are ready, and count as available{has_time, select, no {} other { on {time} UTC}} (minReadySeconds {seconds})",
  "deployment/paused": "The Deployment is paused",
  "deployment/paused-halfway":
    "The Deployment is paused in the middle of a rollout: {count} of {wanted} pods are new, and {old, plural, one {{old} old pod runs} other {{old} old pods run}} beside them",
  "deployment/progress-deadline": "The Deployment has exceeded its progress deadline",
  "deployment/no-replica-set": "The new ReplicaSet cannot be created{has_said, select, no {} other {: {said}}}",
  "deployment/replicas-updated": "{count} of {wanted} new replicas have been updated",
  "deployment/old-replicas": "{count, plural, one {{count} old replica is} other {{count} old replicas are}} pending termination",
  "deployment/updated-available": "{count} of {wanted} updated replicas are available",
  "deployment/not-progressing": "The rollout does not progress",
  "deployment/not-available": "The Deployment does not have minimum availability",
  "stateful-set/scaling-down":
    "{count, plural, one {{count} pod exists} other {{count} pods exist}}, {wanted, plural, one {{wanted} is} other {{wanted} are}} wanted",
  "stateful-set/scaling-up": "{count} of {wanted} pods exist",
  "stateful-set/current-revision": "{count} of {wanted} pods are of the current revision",
  "daemon-set/not-scheduled": "The number of matching nodes is not known yet",
  "daemon-set/no-nodes": "No node matches",
} as const satisfies Catalogue;
