import { notFound } from "./api-error.ts";
import { timestampOf, type ApiObject } from "./api-object.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { listIn, textIn } from "./json-tree.ts";
import { selectionOf } from "./list-request.ts";
import { madeUpUsage } from "./made-up-usage.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { Store } from "./store.ts";

/** PodMetrics as metrics-server serves them. @see https://github.com/kubernetes/metrics */
export const POD_METRICS: ResourceDefinition = {
  group: "metrics.k8s.io",
  version: "v1beta1",
  plural: "pods",
  singular: "pod",
  kind: "PodMetrics",
  listKind: "PodMetricsList",
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ["get", "list"],
  subresources: [],
  storage: "metrics.k8s.io/pods",
  storageVersion: "v1beta1",
  custom: false,
};

/** The role that metrics-server installs: users who may read a namespace may read its metrics. */
export const POD_METRICS_READER = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: {
    name: "system:aggregated-metrics-reader",
    labels: Object.fromEntries(["admin", "edit", "view"].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, "true"])),
  },
  rules: [{ apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["get", "list", "watch"] }],
};

const WINDOW = "15s";

/** Answers a request for PodMetrics: made-up numbers of the pods that run. @throws ApiError 404 for a pod that does not */
export function answerPodMetrics(
  exchange: Exchange,
  of: ResourceDefinition,
  { store, now }: { readonly store: Store; readonly now: number },
): Answer {
  const { target, verb } = exchange;
  const running = store.list("/pods", target.namespace).filter((pod) => textIn(pod, "status", "phase") === "Running");
  if (verb === "get") {
    const pod = running.find(({ metadata }) => metadata.name === target.name);
    if (!pod) throw notFound(of, target.name ?? "");
    return { code: 200, body: JSON.stringify(metricsOf(pod, now)) };
  }
  const items = running.filter(selectionOf(exchange, of)).map((pod) => metricsOf(pod, now));
  return { code: 200, body: JSON.stringify({ kind: of.listKind, apiVersion: apiVersionOf(of), metadata: {}, items }) };
}

function metricsOf({ metadata, ...pod }: ApiObject, now: number): object {
  const { name, namespace, labels, creationTimestamp } = metadata;
  const containers = listIn(pod, "spec", "containers").map((container) => {
    const own = textIn(container, "name") ?? "";
    const { cores, bytes } = madeUpUsage(`${namespace}/${name}/${own}`, now);
    return { name: own, usage: { cpu: `${Math.round(cores * 1e9)}n`, memory: `${Math.round(bytes / 1_024)}Ki` } };
  });
  return {
    kind: POD_METRICS.kind,
    apiVersion: apiVersionOf(POD_METRICS),
    metadata: { name, namespace, ...(labels && { labels }), creationTimestamp },
    timestamp: timestampOf(now),
    window: WINDOW,
    containers,
  };
}
