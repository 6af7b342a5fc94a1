import type { Catalogue } from "../catalogue.ts";

/** Objects that go, wait or are paused. Facts: kind, name, namespace, finalizers, said, node, since. */
export const LIFECYCLE = {
  "lifecycle/finalizers": "{kind} {name} is being deleted and waits for finalizers: {finalizers}",
  "lifecycle/finalizers/next": "Check that the controller behind {finalizers} runs; remove the finalizer by hand only when it never will.",
  "lifecycle/terminating": "{kind} {name} is being deleted",
  "lifecycle/terminating/next":
    "Wait for it to end; if it stays, look at what it owns and, for a pod, at its node{has_node, select, no {} other { {node}}}.",
  "lifecycle/overdue": "{kind} {name} is being deleted and should be gone by now",
  "lifecycle/overdue/next":
    "Look at what {kind} {name} owns and, for a pod, check that the kubelet of its node{has_node, select, no {} other { {node}}} works.",
  "lifecycle/overdue-pod":
    "Pod {name} is being deleted, its grace period ended at {time} UTC, and the kubelet{has_node, select, no {} other { of node {node}}} has not confirmed that it is gone",
  "lifecycle/overdue-pod/next":
    "Check that the kubelet{has_node, select, no {} other { of node {node}}} works; only when its node will never come back: kubectl delete pod{has_namespace, select, no {} other { -n {namespace}}} {name} --force.",
  "lifecycle/namespace": "Namespace {name} is being deleted{has_said, select, no {} other {: {said}}}",
  "lifecycle/namespace/next": "Remove what is left in namespace {name}; the conditions of the namespace name it.",
  "lifecycle/not-observed": "The controller of {kind} {name} has not processed its latest change yet",
  "lifecycle/not-observed/next": "Wait; if it stays so, check that the controller of {kind} runs.",
  "lifecycle/suspended": "{kind} {name} is paused on purpose{has_said, select, no {} other {: {said}}}",
  "lifecycle/suspended/next": "Resume {kind} {name} when it should work again.",
  "lifecycle/evicted": "Pod {pod} was evicted{has_node, select, no {} other { from node {node}}}{has_said, select, no {} other {: {said}}}",
  "lifecycle/evicted/next": "Free the resource that the node lacks, set requests that match the use, then delete the evicted pod.",
  "lifecycle/preempted": "Pod {pod} had to make room for a pod of higher priority{has_said, select, no {} other {: {said}}}",
  "lifecycle/preempted/next": "Add capacity, or give pod {pod} a higher PriorityClass.",
  "lifecycle/shutdown":
    "Pod {pod} was ended because its node{has_node, select, no {} other { {node}}} was shut down{has_said, select, no {} other {: {said}}}",
  "lifecycle/shutdown/next":
    "Delete the pod when its owner has made a new one, and check that node{has_node, select, no {} other { {node}}} comes back.",
  "lifecycle/left-behind":
    "{kind} {name} has replaced {count, plural, one {a pod that ended} other {{count} pods that ended}}{has_reasons, select, no {} other { ({reasons})}}, and what is left of {count, plural, one {it} other {them}} is still there",
  "lifecycle/left-behind/next":
    "Delete {count, plural, one {it} other {them}} when nobody needs to look at {count, plural, one {it} other {them}} any more: kubectl delete pod{has_namespace, select, no {} other { -n {namespace}}} --field-selector status.phase=Failed{has_selector, select, no {} other { -l {selector}}}.",
} as const satisfies Catalogue;
