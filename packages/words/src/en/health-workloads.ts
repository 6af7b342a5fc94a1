import type { Catalogue } from "../catalogue.ts";

/** Messages about workloads, Jobs and autoscalers, and why they are not healthy. */
export const HEALTH_WORKLOADS = {
  // Health of workloads, by their counts. Facts: count of wanted, said.
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
  // Rollouts of workloads whose pods have no more severe issue. Facts: kind, name, said, reason, updated of wanted, labels.
  "rollout/deadline": "The rollout of {kind} {name} made no progress within its deadline",
  "rollout/deadline/next": "Look at the newest pods of {kind} {name}; roll back (kubectl rollout undo) if the change is at fault.",
  "rollout/min-ready":
    "The pods of {kind} {name} are ready, and count as available{has_time, select, no {} other { on {time} UTC}} after minReadySeconds ({seconds})",
  "rollout/min-ready/next": "Lower minReadySeconds of {kind} {name} if its pods may count as available sooner; nothing is wrong with them.",
  "rollout/progress": "{kind} {name} is not done yet: {said}",
  "rollout/progress/next": "Wait for the rollout; if it stays so, look at the newest pods of {kind} {name}.",
  "rollout/stuck": "{kind} {name} is not done and has taken too long: {said}",
  "rollout/stuck/next": "Look at the newest pods and the events of {kind} {name}.",
  "rollout/on-delete":
    "{updated} of {wanted, plural, one {{wanted} pod} other {{wanted} pods}} of {kind} {name} {updated, plural, one {has} other {have}} its new template; the others get it when they are deleted (OnDelete)",
  "rollout/on-delete/next": "Delete the old pods of {kind} {name} one by one when they may be replaced.",
  "rollout/no-nodes":
    "No node matches {kind} {name}{has_labels, select, no {} other {, which demands {labels} by its nodeSelector}}, so that it runs no pod",
  "rollout/no-nodes/next":
    "Label a node to match, or correct nodeSelector and affinity of {kind} {name}; if no node is to match, nothing is to be done.",
  "rollout/unwell": "{kind} {name} is not well: {said}",
  "rollout/unwell/next": "Look at the pods and events of {kind} {name}.",
  // Pods that the API server refuses to create. Facts: kind, name, namespace, quota, requested, used, limited, webhook, policy, said.
  "creation/quota":
    "Quota {quota} leaves no room for the pods of {kind} {name}{has_requested, select, no {} other {{has_used, select, no {} other {{has_limited, select, no {} other {: requested {requested}, used {used}, limit {limited}}}}}}}",
  "creation/quota/next": "Raise quota {quota} in namespace {namespace}, free some of it, or lower the requests and limits of the pods.",
  "creation/quota-near":
    "ResourceQuota {name} is used to {percent} %: {resource} {used} of {hard}{has_more, select, no {} other { (and {more, plural, one {{more} more resource} other {{more} more resources}})}}",
  "creation/quota-near/next": "Free some of it or raise ResourceQuota {name} before the next rollout needs more.",
  "creation/quota-unspecified":
    "Quota {quota} demands requests and limits that the pods of {kind} {name} do not state{has_said, select, no {} other {: {said}}}",
  "creation/quota-unspecified/next":
    "State the resources that quota {quota} demands in every container of {kind} {name}, or set defaults with a LimitRange.",
  "creation/limit-range":
    "A LimitRange of namespace {namespace} forbids the pods of {kind} {name}{has_said, select, no {} other {: {said}}}",
  "creation/limit-range/next": "Bring requests and limits of the containers into the bounds of the LimitRange, or change it.",
  "creation/pod-security": "Pod security ({policy}) forbids the pods of {kind} {name}{has_said, select, no {} other {: {said}}}",
  "creation/pod-security/next":
    "Set the security context that level {policy} demands, or change the pod-security label of namespace {namespace}.",
  "creation/webhook-denied": "Admission webhook {webhook} denies the pods of {kind} {name}{has_said, select, no {} other {: {said}}}",
  "creation/webhook-denied/next": "Change the pods so that {webhook} accepts them, or change its policy.",
  "creation/webhook-unavailable":
    "Admission webhook {webhook} cannot be called, so that no pods of {kind} {name} are created{has_said, select, no {} other {: {said}}}",
  "creation/webhook-unavailable/next": "Bring the service behind {webhook} back, or set its failurePolicy to Ignore.",
  "creation/policy": "Admission policy {policy} denies the pods of {kind} {name}{has_said, select, no {} other {: {said}}}",
  "creation/policy/next": "Change the pods so that {policy} accepts them, or change the policy.",
  "creation/forbidden": "Pods of {kind} {name} may not be created{has_said, select, no {} other {: {said}}}",
  "creation/forbidden/next": "Change the pod template as the message demands, or have the permission given.",
  "creation/invalid": "The pod template of {kind} {name} is not valid{has_said, select, no {} other {: {said}}}",
  "creation/invalid/next": "Correct the field of the pod template that the message names.",
  "creation/other": "Pods of {kind} {name} cannot be created{has_said, select, no {} other {: {said}}}",
  "creation/other/next": "Read the events of {kind} {name}, and correct what they name.",
  // Health of Jobs, CronJobs and workflows. Facts: reason, active, succeeded of wanted, job, said; times as they are written.
  "job/has-failed": "The Job has failed{has_reason, select, no {} other {: {reason}}}",
  "job/complete": "The Job is complete",
  "job/suspended": "The Job is suspended",
  "job/not-started": "The Job has not started yet",
  "job/counts": "{active} active, {succeeded} of {wanted} completed{has_failed, select, no {} other {, {failed} failed}}",
  "job/failed-indexes":
    "Indexes {indexes} have failed for good, so the Job will fail: {active} active, {succeeded} of {wanted} completed{has_failed, select, no {} other {, {failed} failed}}",
  "job/criteria-met":
    "The success criteria are met{has_ending, select, no {} other {; {ending, plural, one {{ending} pod is} other {{ending} pods are}} still ending}}",
  "cron-job/suspended": "The CronJob is suspended",
  "cron-job/last-run-of-job": "The last finished run, Job {job}, completed",
  "cron-job/last-run-failed": "The last finished run, Job {job}, failed: {said}{has_runs, select, no {} other {; {runs}}}",
  "cron-job/failed-runs": "{failed} of the last {total} runs failed",
  "cron-job/last-run": "The last run completed",
  "cron-job/not-run": "The CronJob has not run yet",
  "cron-job/run-stuck": "The run of Job {job} cannot start: {said}",
  "cron-job/runs-missed":
    "No run has started since {at}, although at least {count, plural, one {{count} run was} other {{count} runs were}} due",
  "cron-job/run-does-not-end":
    "A run has been in progress since {at}, so that at least {count, plural, one {{count} run was} other {{count} runs were}} skipped",
  "cron-job/running": "A run is in progress",
  "cron-job/no-finished-run": "No finished run is known",
  "cron-job/run-failed": "The run of {scheduled} did not succeed; the last success was at {succeeded}",
  "workflow/runs": "The workflow runs",
  "workflow/succeeded": "The workflow has succeeded",
  "workflow/failed": "The workflow has failed",
  // Jobs and CronJobs. Facts: name, namespace, limit, deadline, said, reason, rule, pod, time, count, job.
  "job/backoff": "Job {name} has failed more often than its backoffLimit{has_limit, select, no {} other { of {limit}}} allows",
  "job/backoff/next": "Read the log of a failed pod of Job {name}, repair the cause, then create the Job anew.",
  "job/deadline": "Job {name} did not end within its deadline{has_deadline, select, no {} other { of {deadline} seconds}}",
  "job/deadline/next": "Raise activeDeadlineSeconds of Job {name} or make it faster, then create it anew.",
  "job/policy":
    "The podFailurePolicy of Job {name} ended it at once{has_rule, select, no {} other { by rule {rule}}}{has_said, select, no {} other {: {said}}}",
  "job/policy/next":
    "Read the log of the failed pod{has_pod, select, no {} other { {pod}}}, repair the cause, then create Job {name} anew.",
  "job/failed": "Job {name} has failed{has_said, select, no {} other {: {said}}}",
  "job/failed/next": "Read the log of a pod of Job {name}, repair the cause, then create it anew.",
  "job/running": "Job {name} has not ended yet{has_said, select, no {} other {: {said}}}",
  "job/running/next": "Wait for it to end; if it takes too long, read the log of its pods.",
  "job/runs-missed":
    "CronJob {name} has started no run since {time} UTC, although at least {count, plural, one {{count} was} other {{count} were}} due",
  "job/runs-missed/next":
    "Check startingDeadlineSeconds, schedule and timeZone of CronJob {name}, then that the controller manager runs; read the events of the CronJob.",
  "job/run-hangs":
    "The run of CronJob {name} that began at {time} UTC{has_job, select, no {} other {, Job {job},}} has not ended, so that at least {count, plural, one {{count} run was} other {{count} runs were}} skipped (concurrencyPolicy Forbid)",
  "job/run-hangs/next":
    "Read the log of its pod{has_namespace, select, no {} other {{has_job, select, no {} other { (kubectl logs -n {namespace} job/{job})}}}}; delete the Job to let the next run start, and limit it by activeDeadlineSeconds.",
  "job/last-run": "The last run of CronJob {name} did not succeed{has_said, select, no {} other {: {said}}}",
  "job/last-run/next":
    "Read the log of its last Job, and start one by hand (kubectl create job --from=cronjob/{name}) when it is repaired.",
  // Health of autoscalers and of disruption budgets. Facts: count, wanted, said.
  "horizontal-pod-autoscaler/metrics-missing": "Metrics are missing: {said}",
  "horizontal-pod-autoscaler/disabled": "Scaling is disabled",
  "horizontal-pod-autoscaler/works": "The autoscaler works",
  "horizontal-pod-autoscaler/waiting": "Waiting to autoscale",
  "pod-disruption-budget/no-pods": "The budget applies to no pods",
  "pod-disruption-budget/pods":
    "{count, plural, one {{count} healthy pod} other {{count} healthy pods}}, {wanted, plural, one {{wanted} is} other {{wanted} are}} wanted",
  // HorizontalPodAutoscalers and disruption budgets. Facts: name, target, metric, unrequested (count, containers, resource), said, max,
  // current, desired, selector.
  "autoscaling/no-metrics":
    "HorizontalPodAutoscaler {name} gets no metrics{has_target, select, no {} other { for {target}}}{has_unrequested, select, no {} other {, where {unrequested}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-metrics/next":
    "Check that metrics-server (or the metrics adapter) runs and that every container{has_target, select, no {} other { of {target}}} has resource requests.",
  "autoscaling/no-requests":
    "HorizontalPodAutoscaler {name} cannot compute a ratio: a container{has_target, select, no {} other { of {target}}} states no request{has_unrequested, select, no {} other {, as {unrequested}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-requests/next":
    "Set resources.requests for the scaled resource in every container{has_target, select, no {} other { of {target}}}.",
  "autoscaling/unrequested":
    "{count, plural, one {container} other {containers}} {containers} {count, plural, one {has} other {have}} no request for {resource}",
  "autoscaling/no-target":
    "HorizontalPodAutoscaler {name} cannot read or change the scale{has_target, select, no {} other { of {target}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-target/next": "Correct spec.scaleTargetRef of HorizontalPodAutoscaler {name}; its target must exist and have a scale.",
  "autoscaling/selector":
    "HorizontalPodAutoscaler {name} cannot use the selector{has_target, select, no {} other { of {target}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/selector/next": "Give {target} a pod selector that is valid and its own.",
  "autoscaling/ambiguous":
    "HorizontalPodAutoscaler {name} does not scale{has_target, select, no {} other { {target}}}, since its pods belong to several autoscalers{has_others, select, no {} other {, also to {others}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/ambiguous/next":
    "Let one autoscaler scale these pods: delete HorizontalPodAutoscaler {name}{has_others, select, no {} other { or {others}}}, or give its target pods of its own.",
  "autoscaling/not-scaling": "HorizontalPodAutoscaler {name} does not scale{has_said, select, no {} other {: {said}}}",
  "autoscaling/not-scaling/next": "Correct spec.metrics of HorizontalPodAutoscaler {name}, or what its condition ScalingActive names.",
  "autoscaling/waiting": "HorizontalPodAutoscaler {name} has not computed anything yet",
  "autoscaling/waiting/next": "Wait a minute; if it stays so, check that the controller manager runs.",
  "autoscaling/silent": "HorizontalPodAutoscaler {name} has not computed anything for too long",
  "autoscaling/silent/next": "Check that the controller manager runs, and read its log.",
  "autoscaling/at-maximum": "HorizontalPodAutoscaler {name} wants more than its maximum{has_max, select, no {} other { of {max} replicas}}",
  "autoscaling/at-maximum/next": "Raise maxReplicas of HorizontalPodAutoscaler {name} if the load is real.",
  "autoscaling/budget-violated":
    "PodDisruptionBudget {name} counts {current, plural, one {{current} healthy pod} other {{current} healthy pods}} and wants {desired}",
  "autoscaling/budget-violated/next": "Make the pods that the budget selects healthy before you drain a node.",
  "autoscaling/several-budgets":
    "Pods of PodDisruptionBudget {name} belong to several budgets{has_others, select, no {} other {, also to {others}}}, which Kubernetes does not support{has_said, select, no {} other {: {said}}}",
  "autoscaling/several-budgets/next":
    "Give each pod one budget: delete PodDisruptionBudget {name}{has_others, select, no {} other { or {others}}}, or narrow its selector; until then no drain may evict them.",
  "autoscaling/no-disruption": "PodDisruptionBudget {name} allows no disruption now, so that a node drain would wait",
  "autoscaling/no-disruption/next": "Add a replica or relax the budget before you drain a node.",
  "autoscaling/budget-sync-failed":
    "PodDisruptionBudget {name} allows no disruption, because its controller cannot work it out{has_said, select, no {} other {: {said}}}",
  "autoscaling/budget-sync-failed/next": "Let PodDisruptionBudget {name} select only pods whose controllers have a scale.",
} as const satisfies Catalogue;
