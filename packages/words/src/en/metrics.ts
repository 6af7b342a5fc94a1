import type { Catalogue } from "../catalogue.ts";

/** Figures of workloads: why there are none, and how they are said. Facts: service, namespace, what was said, values with their units. */
export const METRICS = {
  "metrics/agent-rights-missing": "the agent lacks a right that it needs to reach service {service}[: {said}]",
  "metrics/api-forbidden": "you may not read pods of metrics.k8s.io in namespace {namespace}",
  "metrics/api-not-served": "the cluster serves no metrics.k8s.io, or has not measured this yet",
  "metrics/api-none-of-ingress": "metrics.k8s.io measures no Ingress",
  "metrics/no-answer": "service {service} did not answer as a Prometheus behind the agent does",
  "metrics/no-namespace": "the environment has no namespace of its own",
  "metrics/no-selector": "the workload selects no pods",
  "metrics/no-services": "kas or the agent is too old to reach services of the cluster",
  "metrics/none": "No metrics: [{prometheus}; ]{api}",
  "metrics/nothing-measured": "service {service} has measured nothing of it",
  "metrics/pods-forbidden": "you may not get and list pods in namespace {namespace}",
  "metrics/present-only": "Only present values, of metrics.k8s.io[: {prometheus}]",
  "metrics/question-refused": "the agent does not answer this question[: {said}]",
  "metrics/service-address-refused": "the agent may not connect to the address of service {service}[: {said}]",
  "metrics/service-answer-refused": "the answer of service {service} cannot be used[: {said}]",
  "metrics/service-not-allowed": "the agent's configuration opens no service {service} for metrics",
  "metrics/service-redirects": "service {service} leads elsewhere[: {said}]",
  "metrics/service-refused": "the agent does not ask service {service}[: {said}]",
  "metrics/service-silent": "service {service} is silent[: {said}]",
  "metrics/service-unreachable": "service {service} cannot be reached[: {said}]",
  "metrics/service-withdrawn": "service {service} has just been taken out of the agent's configuration, or changed in it",
} as const satisfies Catalogue;
