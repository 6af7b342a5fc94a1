import { fieldsAt, isFields, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { parseLabelMap, parseLabelSelector } from "../label-selector.ts";
import { keyToken, referenceByName, referenceBySelector, referenceTo, uidToken, type Reference } from "../reference.ts";

/** Service → Pod. No selector, or an empty one, selects nothing. */
export function serviceReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const selector = parseLabelMap(spec["selector"]);
  if (selector === undefined || textAt(spec, "type") === "ExternalName") return [];
  return [referenceBySelector("svc-pod", "spec.selector", { namespace: object.metadata.namespace ?? "", selector })];
}

/** EndpointSlice → Service by label, and → Pod. Addresses outside the cluster have no target. */
export function endpointSliceReferences(object: KubeObject): Reference[] {
  const references: Reference[] = [];
  const namespace = object.metadata.namespace ?? "";
  const service = textAt(object.metadata.labels, "kubernetes.io/service-name");
  if (service !== "") {
    const key = { group: "", kind: "Service", namespace, name: service };
    references.push(referenceByName("slice-service", "metadata.labels[kubernetes.io/service-name]", { key }));
  }
  for (const [index, endpoint] of listAt(object, "endpoints").entries()) {
    const target = fieldsAt(endpoint, "targetRef");
    if (textAt(target, "kind") !== "Pod") continue;
    const [uid, name] = [textAt(target, "uid"), textAt(target, "name")];
    const key = { group: "", kind: "Pod", namespace: textAt(target, "namespace") || namespace, name };
    // A slice lags behind its pods: one that is gone is no missing reference.
    const tokens = [uid === "" ? keyToken(key) : uidToken(uid)];
    references.push(referenceTo("slice-pod", `endpoints[${index}].targetRef`, { target: { by: "name", tokens } }));
  }
  return references;
}

/** Ingress → Service or other backend, Secret of its certificate, IngressClass. */
export function ingressReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references = [
    ...backend(fieldsAt(spec, "defaultBackend"), "spec.defaultBackend", namespace),
    ...backend(fieldsAt(spec, "backend"), "spec.backend", namespace),
  ];
  for (const [r, rule] of listAt(spec, "rules").entries()) {
    for (const [p, path] of listAt(fieldsAt(rule, "http"), "paths").entries()) {
      references.push(...backend(fieldsAt(path, "backend"), `spec.rules[${r}].http.paths[${p}].backend`, namespace));
    }
  }
  for (const [index, entry] of listAt(spec, "tls").entries()) {
    const name = textAt(entry, "secretName");
    if (name === "") continue;
    references.push(referenceByName("ing-tls", `spec.tls[${index}].secretName`, { key: { group: "", kind: "Secret", namespace, name } }));
  }
  const className = textAt(spec, "ingressClassName");
  if (className !== "") {
    const key = { group: "networking.k8s.io", kind: "IngressClass", namespace: "", name: className };
    references.push(referenceByName("ing-class", "spec.ingressClassName", { key, soft: true }));
  }
  return references;
}

/** PodDisruptionBudget → Pod. An empty selector is every pod of the namespace; in policy/v1beta1 it was none. */
export function budgetReferences(object: KubeObject): Reference[] {
  const selector = parseLabelSelector(fieldsAt(object, "spec")["selector"]);
  if (selector === undefined || (object.apiVersion === "policy/v1beta1" && selector.requirements.length === 0)) return [];
  return [referenceBySelector("pdb-pod", "spec.selector", { namespace: object.metadata.namespace ?? "", selector })];
}

/** NetworkPolicy → Pod. An empty selector is every pod of the namespace. */
export function networkPolicyReferences(object: KubeObject): Reference[] {
  const selector = parseLabelSelector(fieldsAt(object, "spec")["podSelector"]);
  if (selector === undefined) return [];
  return [referenceBySelector("netpol-pod", "spec.podSelector", { namespace: object.metadata.namespace ?? "", selector })];
}

function backend(value: unknown, path: string, namespace: string): Reference[] {
  const service = textAt(fieldsAt(value, "service"), "name");
  if (service !== "") return [referenceByName("ing-svc", `${path}.service.name`, { key: serviceKey(namespace, service) })];
  const old = textAt(value, "serviceName");
  if (old !== "") return [referenceByName("ing-svc", `${path}.serviceName`, { key: serviceKey(namespace, old) })];
  const resource = isFields(value) ? value["resource"] : undefined;
  const [kind, name] = [textAt(resource, "kind"), textAt(resource, "name")];
  if (kind === "" || name === "") return [];
  return [referenceByName("ing-res", `${path}.resource`, { key: { group: textAt(resource, "apiGroup"), kind, namespace, name } })];
}

function serviceKey(namespace: string, name: string) {
  return { group: "", kind: "Service", namespace, name };
}
