import { fieldsAt, listAt, quantityOf, textAt } from "@binnacle/kube";
import { madeUpUsage } from "@binnacle/kube-sandbox";

const REQUESTS_PER_CORE = 120;

/**
 * What cAdvisor, kube-state-metrics, a mesh and an ingress controller would say of these pods and Ingresses, as text of Prometheus. Usage and
 * requests are made up; restarts, requested amounts and limits are the cluster's.
 */
export function scriptedMetrics(pods: readonly unknown[], ingresses: readonly unknown[], atMs: number): string {
  const running = pods.filter((pod) => textAt(fieldsAt(pod, "status"), "phase") === "Running");
  const ofPods = running.flatMap((pod) =>
    listAt(fieldsAt(pod, "spec"), "containers").flatMap((container) => ofContainer(pod, container, atMs)),
  );
  const workloads = new Map<string, number>();
  for (const pod of running) {
    const labels = workloadLabels(pod);
    if (labels !== undefined) workloads.set(labels, (workloads.get(labels) ?? 0) + served(nameOf(pod), atMs));
  }
  const ofMesh = [...workloads].map(([labels, count]) => `istio_requests_total{reporter="destination",${labels}} ${count}`);
  const ofIngresses = ingresses.map((ingress) => {
    const { namespace, name } = placeOf(ingress);
    return `nginx_ingress_controller_requests{exported_namespace="${namespace}",ingress="${name}"} ${served(nameOf(ingress), atMs)}`;
  });
  return [...ofPods, ...ofMesh, ...ofIngresses, ""].join("\n");
}

function ofContainer(pod: unknown, container: unknown, atMs: number): string[] {
  const { namespace, name } = placeOf(pod);
  const own = textAt(container, "name");
  const labels = `namespace="${namespace}",pod="${name}",container="${own}"`;
  const { coreSeconds, bytes } = madeUpUsage(`${nameOf(pod)}/${own}`, atMs);
  const status = listAt(fieldsAt(pod, "status"), "containerStatuses").find((each) => textAt(each, "name") === own);
  const reserved = ["requests", "limits"].flatMap((of) =>
    ["cpu", "memory"].flatMap((resource) => {
      const amount = quantityOf(fieldsAt(fieldsAt(container, "resources"), of)[resource]);
      return amount === undefined ? [] : [`kube_pod_container_resource_${of}{${labels},resource="${resource}"} ${amount}`];
    }),
  );
  return [
    `container_cpu_usage_seconds_total{${labels}} ${coreSeconds}`,
    `container_memory_working_set_bytes{${labels}} ${bytes}`,
    `kube_pod_container_status_restarts_total{${labels}} ${Number(fieldsAt({ status }, "status")["restartCount"] ?? 0)}`,
    ...reserved,
  ];
}

/** Requests since the epoch; they come as CPU is used. */
function served(name: string, atMs: number): number {
  return madeUpUsage(`${name}/requests`, atMs).coreSeconds * REQUESTS_PER_CORE;
}

/** Of the Deployment, StatefulSet or DaemonSet that a pod is of. */
function workloadLabels(pod: unknown): string | undefined {
  const metadata = fieldsAt(pod, "metadata");
  const owner = listAt(metadata, "ownerReferences")[0];
  const [kind, name] = [textAt(owner, "kind"), textAt(owner, "name")];
  if (kind === "" || kind === "Job") return undefined;
  const workload = kind === "ReplicaSet" ? name.replace(/-[^-]+$/, "") : name;
  return `destination_workload_namespace="${textAt(metadata, "namespace")}",destination_workload="${workload}"`;
}

function placeOf(object: unknown): { readonly namespace: string; readonly name: string } {
  const metadata = fieldsAt(object, "metadata");
  return { namespace: textAt(metadata, "namespace"), name: textAt(metadata, "name") };
}

function nameOf(object: unknown): string {
  const { namespace, name } = placeOf(object);
  return `${namespace}/${name}`;
}
