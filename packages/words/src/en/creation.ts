import type { Catalogue } from "../catalogue.ts";

/** Pods that the API server refuses to create. Facts: kind, name, namespace, quota, requested, used, limited, webhook, policy, said. */
export const CREATION = {
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
} as const satisfies Catalogue;
