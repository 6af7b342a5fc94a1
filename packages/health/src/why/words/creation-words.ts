import type { WordTable } from "./words.ts";

/** Pods that the API server refuses to create. Facts: kind, name, namespace, quota, requested, used, limited, webhook, policy, said. */
export const CREATION_WORDS = {
  quota: {
    reason: "QuotaExceeded",
    message: "Quota {quota} leaves no room for the pods of {kind} {name}[: requested {requested}, used {used}, limit {limited}]",
    nextStep: "Raise quota {quota} in namespace {namespace}, free some of it, or lower the requests and limits of the pods.",
  },
  "quota-unspecified": {
    reason: "QuotaNeedsRequests",
    message: "Quota {quota} demands requests and limits that the pods of {kind} {name} do not state[: {said}]",
    nextStep: "State the resources that quota {quota} demands in every container of {kind} {name}, or set defaults with a LimitRange.",
  },
  "limit-range": {
    reason: "LimitRangeViolated",
    message: "A LimitRange of namespace {namespace} forbids the pods of {kind} {name}[: {said}]",
    nextStep: "Bring requests and limits of the containers into the bounds of the LimitRange, or change it.",
  },
  "pod-security": {
    reason: "PodSecurityViolated",
    message: "Pod security ({policy}) forbids the pods of {kind} {name}[: {said}]",
    nextStep: "Set the security context that level {policy} demands, or change the pod-security label of namespace {namespace}.",
  },
  "webhook-denied": {
    reason: "AdmissionDenied",
    message: "Admission webhook {webhook} denies the pods of {kind} {name}[: {said}]",
    nextStep: "Change the pods so that {webhook} accepts them, or change its policy.",
  },
  "webhook-unavailable": {
    reason: "AdmissionWebhookUnavailable",
    message: "Admission webhook {webhook} cannot be called, so that no pods of {kind} {name} are created[: {said}]",
    nextStep: "Bring the service behind {webhook} back, or set its failurePolicy to Ignore.",
  },
  policy: {
    reason: "AdmissionDenied",
    message: "Admission policy {policy} denies the pods of {kind} {name}[: {said}]",
    nextStep: "Change the pods so that {policy} accepts them, or change the policy.",
  },
  forbidden: {
    reason: "PodForbidden",
    message: "Pods of {kind} {name} may not be created[: {said}]",
    nextStep: "Change the pod template as the message demands, or have the permission given.",
  },
  invalid: {
    reason: "PodInvalid",
    message: "The pod template of {kind} {name} is not valid[: {said}]",
    nextStep: "Correct the field of the pod template that the message names.",
  },
  other: {
    message: "Pods of {kind} {name} cannot be created[: {said}]",
    nextStep: "Read the events of {kind} {name}, and correct what they name.",
  },
} as const satisfies WordTable;
