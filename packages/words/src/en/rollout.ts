import type { Catalogue } from "../catalogue.ts";

/** Rollouts of workloads whose pods say nothing worse. Facts: kind, name, said, reason, updated of wanted, labels. */
export const ROLLOUT = {
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
} as const satisfies Catalogue;
