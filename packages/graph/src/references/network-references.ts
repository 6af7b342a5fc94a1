import { fieldsAt, listAt, textAt, type KubeObject, numberAt } from "@binnacle/kube";

import { FieldPath } from "../field-path.ts";
import { parseLabelMap, parseLabelSelector } from "../label-selector.ts";
import { referenceByName, referenceBySelector, referenceByUid, roleToken, type Reference, type ReferenceDetails } from "../reference.ts";

/** Label of an EndpointSlice that names its Service. */
const SERVICE_NAME = "kubernetes.io/service-name";

const READY: ReferenceDetails = Object.freeze({ ready: true });
const NOT_READY: ReferenceDetails = Object.freeze({ ready: false });
const ENDPOINTS = FieldPath.of("endpoints");

/** Service → Pod, and → workloads whose pods it would select. No selector, or an empty one, selects nothing. */
export function serviceReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const selector = parseLabelMap(spec["selector"]);
  if (selector === undefined || textAt(spec, "type") === "ExternalName") return [];
  const namespace = object.metadata.namespace ?? "";
  return [
    referenceBySelector("svc-pod", "spec.selector", { among: "pods", namespace, selector }),
    referenceBySelector("svc-workload", "spec.selector", { among: "workloads", namespace, selector }),
  ];
}

/** EndpointSlice → Service by label, and → Pod. Addresses outside the cluster have no target. */
export function endpointSliceReferences(object: KubeObject): Reference[] {
  const references: Reference[] = [];
  const namespace = object.metadata.namespace ?? "";
  const service = textAt(object.metadata.labels, SERVICE_NAME);
  if (service !== "") {
    references.push(referenceByName("slice-service", `metadata.labels[${SERVICE_NAME}]`, { key: serviceKey(namespace, service) }));
  }
  const endpoints = listAt(object, "endpoints");
  for (let index = 0; index < endpoints.length; index += 1) {
    const endpoint = endpoints[index];
    const target = fieldsAt(endpoint, "targetRef");
    if (textAt(target, "kind") !== "Pod") continue;
    const key = { group: "", kind: "Pod", namespace: textAt(target, "namespace") || namespace, name: textAt(target, "name") };
    // "Not known" counts as ready. A slice lags behind its pods: one that is gone is no missing reference.
    const details = fieldsAt(endpoint, "conditions")["ready"] === false ? NOT_READY : READY;
    const path = ENDPOINTS.at(index).field("targetRef").text;
    references.push(referenceByUid("slice-pod", path, { uid: textAt(target, "uid"), key, details }));
  }
  return references;
}

/** Token that an EndpointSlice provides: its Service has slices. */
export function slicesTokenOf(object: KubeObject): string | undefined {
  const service = textAt(object.metadata.labels, SERVICE_NAME);
  return service === "" ? undefined : roleToken("slices", object.metadata.namespace ?? "", service);
}

/** Endpoints → Service of the same name, unless it has slices, which say the same and more. */
export function endpointsReferences(object: KubeObject): Reference[] {
  const { namespace = "", name } = object.metadata;
  const details = { unless: roleToken("slices", namespace, name) };
  return [referenceByName("endpoints-service", "metadata.name", { key: serviceKey(namespace, name), soft: true, details })];
}

/** PodDisruptionBudget → Pod. An empty selector is every pod of the namespace; in policy/v1beta1 it was none. */
export function budgetReferences(object: KubeObject): Reference[] {
  const selector = parseLabelSelector(fieldsAt(object, "spec")["selector"]);
  if (selector === undefined || (object.apiVersion === "policy/v1beta1" && selector.requirements.length === 0)) return [];
  return [referenceBySelector("pdb-pod", "spec.selector", { among: "pods", namespace: object.metadata.namespace ?? "", selector })];
}

/** NetworkPolicy → Pod. An empty selector is every pod of the namespace. */
export function networkPolicyReferences(object: KubeObject): Reference[] {
  const selector = parseLabelSelector(fieldsAt(object, "spec")["podSelector"]);
  if (selector === undefined) return [];
  return [referenceBySelector("netpol-pod", "spec.podSelector", { among: "pods", namespace: object.metadata.namespace ?? "", selector })];
}

function serviceKey(namespace: string, name: string) {
  return { group: "", kind: "Service", namespace, name };
}

/** Whether a Service has ports, but not this one, by name or number. */
export function lacksPort(service: KubeObject, port: string | number): boolean {
  const ports = listAt(service["spec"], "ports");
  return ports.length > 0 && !ports.some((each) => textAt(each, "name") === port || numberAt(each, "port") === port);
}
