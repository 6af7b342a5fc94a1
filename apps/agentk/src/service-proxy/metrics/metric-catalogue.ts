/** Metrics of a workload; a closed list, because agentk writes the queries itself. */
export const METRICS = ["cpu", "memory", "restarts", "requests"] as const;
/** One of them. */
export type Metric = (typeof METRICS)[number];

/** Whose figures they are. `namespace`: all pods of it. */
export const SUBJECTS = ["namespace", "deployment", "stateful_set", "daemon_set", "replica_set", "job", "pod", "ingress"] as const;
/** One of them. */
type Subject = (typeof SUBJECTS)[number];

/** The subject of a query. */
export interface MetricSubject {
  readonly namespace: string;
  readonly kind: Subject;
  /** Empty for a namespace. */
  readonly name: string;
}

/** One query, and what its numbers are. */
export interface CataloguedQuery {
  /** What the line shows: "usage", "requests", "limits", or whose metrics they are. */
  readonly of: string;
  readonly query: string;
}

/** Unit of the numbers. */
export const UNITS: Readonly<Record<Metric, string>> = {
  cpu: "cores",
  memory: "bytes",
  restarts: "restarts in an hour",
  requests: "requests per second",
};

/** Names of generated pods end in letters and digits that Kubernetes never makes words of (`k8s.io/apimachinery/pkg/util/rand`). */
const LETTERS = "[bcdfghjklmnpqrstvwxz2456789]";
const ENDINGS: Readonly<Record<Exclude<Subject, "namespace" | "pod" | "ingress">, string>> = {
  deployment: `-${LETTERS}+-${LETTERS}{5}`,
  replica_set: `-${LETTERS}{5}`,
  daemon_set: `-${LETTERS}{5}`,
  // Also those of indexed Jobs.
  job: `(-[0-9]+)?-${LETTERS}{5}`,
  stateful_set: "-[0-9]+",
};
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the subject can stand in a query: names of Kubernetes hold nothing that PromQL reads. */
export function isSubject({ namespace, kind, name }: MetricSubject): boolean {
  return NAMESPACE.test(namespace) && (kind === "namespace" ? name === "" : NAME.test(name));
}

/**
 * The queries for a metric of a subject; none where it has no such metric. Every one of them names the namespace, so that what a viewer may list
 * limits the result.
 */
export function queriesOf(metric: Metric, subject: MetricSubject): readonly CataloguedQuery[] {
  if (metric === "requests") return requestQueries(subject);
  if (subject.kind === "ingress") return [];
  const pods = podSelector(subject);
  const containers = `${pods},container!="",container!="POD"`;
  const reserved = (resource: string): readonly CataloguedQuery[] =>
    ["requests", "limits"].map((of) => ({ of, query: `sum(kube_pod_container_resource_${of}{${pods},resource="${resource}"})` }));
  const queries: Readonly<Record<Exclude<Metric, "requests">, readonly CataloguedQuery[]>> = {
    cpu: [{ of: "usage", query: `sum(rate(container_cpu_usage_seconds_total{${containers}}[5m]))` }, ...reserved("cpu")],
    memory: [{ of: "usage", query: `sum(container_memory_working_set_bytes{${containers}})` }, ...reserved("memory")],
    restarts: [{ of: "restarts", query: `sum(increase(kube_pod_container_status_restarts_total{${pods}}[1h]))` }],
  };
  return queries[metric];
}

/** Of Istio for workloads, of ingress-nginx for Ingresses: where those are not there, nothing comes back. */
function requestQueries({ namespace, kind, name }: MetricSubject): readonly CataloguedQuery[] {
  const istio = `reporter="destination",destination_workload_namespace="${namespace}"`;
  const nginx = `exported_namespace="${namespace}"`;
  const rate = (of: string, series: string, labels: string) => ({ of, query: `sum(rate(${series}{${labels}}[5m]))` });
  switch (kind) {
    case "namespace":
      return [rate("istio", "istio_requests_total", istio), rate("ingress-nginx", "nginx_ingress_controller_requests", nginx)];
    case "ingress":
      return [rate("ingress-nginx", "nginx_ingress_controller_requests", `${nginx},ingress="${name}"`)];
    case "deployment":
    case "stateful_set":
    case "daemon_set":
      return [rate("istio", "istio_requests_total", `${istio},destination_workload="${name}"`)];
    default:
      return [];
  }
}

function podSelector({ namespace, kind, name }: MetricSubject): string {
  const inNamespace = `namespace="${namespace}"`;
  if (kind === "namespace" || kind === "ingress") return inNamespace;
  if (kind === "pod") return `${inNamespace},pod="${name}"`;
  // A dot is any character in an expression, and a backslash is written twice in a text of PromQL.
  return `${inNamespace},pod=~"${name.replaceAll(".", String.raw`\\.`)}${ENDINGS[kind]}"`;
}
