import { controllerReference, type ApiObject } from "../api-object.ts";
import { isSame, listIn, numberIn, textIn, textMapIn, valueIn, type Tree } from "../json-tree.ts";
import { mapMatcher } from "../label-selector.ts";
import type { StoreEvent } from "../store.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { isReady } from "./pod-state.ts";

const SERVICES = "/services";
const PODS = "/pods";
const SLICES = "discovery.k8s.io/endpointslices";
const MANAGER = "endpointslice-controller.k8s.io";

/** Keeps one EndpointSlice for each Service that selects pods. */
export function endpointSliceController(cluster: Cluster): Controller {
  const servicesOf = ({ object, previous }: StoreEvent): Key[] =>
    cluster
      .list(SERVICES, object.metadata.namespace)
      .filter((service) => {
        const matches = mapMatcher(textMapIn(service, "spec", "selector"));
        return matches(object.metadata.labels) || (previous !== undefined && matches(previous.metadata.labels));
      })
      .map((service) => ({ namespace: service.metadata.namespace, name: service.metadata.name }));
  return {
    name: "endpointslice-controller",
    watches: { [SERVICES]: itself, [PODS]: servicesOf, [SLICES]: itsController("Service") },
    reconcile: (key) => {
      reconcile(cluster, key);
      return undefined;
    },
  };
}

function reconcile(cluster: Cluster, { namespace, name }: Key): void {
  const service = cluster.get(SERVICES, namespace, name);
  if (!service || service.metadata.deletionTimestamp !== undefined) return;
  const selector = textMapIn(service, "spec", "selector");
  if (Object.keys(selector).length === 0 || textIn(service, "spec", "type") === "ExternalName") return;
  const pods = cluster
    .list(PODS, namespace)
    .filter(
      (pod) =>
        mapMatcher(selector)(pod.metadata.labels) &&
        textIn(pod, "status", "podIP") !== undefined &&
        !["Succeeded", "Failed"].includes(textIn(pod, "status", "phase") ?? ""),
    );
  const wanted = {
    addressType: "IPv4",
    endpoints: pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).map((pod) => endpointOf(pod, service)),
    ports: portsOf(service, pods[0]),
  };
  const headless = textIn(service, "spec", "clusterIP") === "None" ? { "service.kubernetes.io/headless": "" } : {};
  const labels = {
    ...service.metadata.labels,
    ...headless,
    "kubernetes.io/service-name": name,
    "endpointslice.kubernetes.io/managed-by": MANAGER,
  };
  const slice = cluster.controlled(SLICES, service)[0];
  if (!slice) {
    const metadata = { generateName: `${name}-`, namespace, labels, ownerReferences: [controllerReference(service)] };
    cluster.create(SLICES, { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata, ...wanted });
    return;
  }
  const { addressType, endpoints, ports } = slice;
  if (!isSame({ addressType, endpoints, ports, labels: slice.metadata.labels }, { ...wanted, labels }))
    cluster.update(SLICES, { ...slice, ...wanted, metadata: { ...slice.metadata, labels } });
}

function endpointOf(pod: ApiObject, service: ApiObject): Tree {
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = isReady(pod);
  const always = valueIn(service, "spec", "publishNotReadyAddresses") === true;
  const hostname = textIn(pod, "spec", "hostname");
  return {
    addresses: [textIn(pod, "status", "podIP")],
    conditions: { ready: always || (ready && !terminating), serving: always || ready, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name, uid: pod.metadata.uid },
    nodeName: textIn(pod, "spec", "nodeName"),
  };
}

function portsOf(service: ApiObject, pod: ApiObject | undefined): Tree[] {
  const containers = listIn(pod, "spec", "containers").flatMap((container) => listIn(container, "ports"));
  return listIn(service, "spec", "ports").map((port) => {
    const target = valueIn(port, "targetPort");
    const named =
      typeof target === "string"
        ? numberIn(
            containers.find((one) => textIn(one, "name") === target),
            "containerPort",
          )
        : target;
    return { name: textIn(port, "name") ?? "", port: named ?? numberIn(port, "port"), protocol: textIn(port, "protocol") ?? "TCP" };
  });
}
