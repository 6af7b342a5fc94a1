import { randomUUID } from "node:crypto";

import type { ApiObject } from "./api-object.ts";
import type { StatusCause } from "./api-error.ts";
import { isSame, isTree, listIn, numberIn, textIn, textMapIn, treeIn, valueIn, type Tree } from "./json-tree.ts";
import { matcherOf } from "./label-selector.ts";
import { childOf, fill } from "./pod-defaults.ts";
import { ephemeralCauses } from "./ephemeral-containers.ts";
import { randomSuffix } from "./names.ts";
import type { Store } from "./store.ts";

/** What the admission of an object may look at. */
export interface AdmissionContext {
  readonly store: Store;
  /** The stored object on update. */
  readonly old?: ApiObject;
}

type Admission = (object: ApiObject, context: AdmissionContext) => void;

/** Sets what depends on the rest of the cluster (addresses, tokens' volumes, selectors of Jobs), in place, after defaulting. */
export function admit(storage: string, object: ApiObject, context: AdmissionContext): void {
  ADMISSIONS[storage]?.(object, context);
}

/** An object of unknown shape below metadata; a stored object is a plain JSON object by construction. */
function specOf(object: ApiObject): Tree {
  return childOf(object, "spec");
}

const ADMISSIONS: Readonly<Record<string, Admission>> = {
  "/namespaces": (object, { old }) => {
    object.metadata.labels = { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name };
    if (!old) object["status"] = { phase: "Active" };
  },
  "/pods": (object, { old }) => {
    if (old) return;
    const spec = specOf(object);
    fill(spec, { serviceAccountName: "default", serviceAccount: "default", preemptionPolicy: "PreemptLowerPriority", priority: 0 });
    fill(spec, {
      tolerations: ["not-ready", "unreachable"].map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    });
    if (spec["automountServiceAccountToken"] !== false) mountToken(spec);
    object["status"] = { phase: "Pending", qosClass: qosOf(spec) };
  },
  "/services": (object, { store, old }) => allocateAddresses(object, store, old),
  "/persistentvolumeclaims": (object, { store, old }) => {
    const spec = specOf(object);
    if (old) return;
    object["status"] = { phase: "Pending" };
    object.metadata.finalizers = [...new Set([...(object.metadata.finalizers ?? []), "kubernetes.io/pvc-protection"])];
    if (spec["storageClassName"] !== undefined) return;
    const standard = store
      .list("storage.k8s.io/storageclasses")
      .find((one) => one.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true");
    if (standard) spec["storageClassName"] = standard.metadata.name;
  },
  "/persistentvolumes": (object, { old }) => {
    if (!old) object["status"] = { phase: "Pending" };
  },
  "batch/jobs": (object, { old }) => {
    if (old) return;
    const spec = specOf(object);
    if (spec["manualSelector"] === true) return;
    const uid = object.metadata.uid === "" ? randomUUID() : object.metadata.uid;
    object.metadata.uid = uid;
    const template = childOf(spec, "template");
    const labels = childOf(childOf(template, "metadata"), "labels");
    const own = { "controller-uid": uid, "job-name": object.metadata.name };
    Object.assign(labels, own, { "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": object.metadata.name });
    spec["selector"] = { matchLabels: { "batch.kubernetes.io/controller-uid": uid } };
  },
};

function mountToken(spec: Tree): void {
  const volumes = [...listIn(spec, "volumes")];
  if (volumes.some((volume) => textIn(volume, "name")?.startsWith("kube-api-access-") === true)) return;
  const name = `kube-api-access-${randomSuffix()}`;
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ];
  spec["volumes"] = [...volumes, { name, projected: { sources, defaultMode: 420 } }];
  for (const container of [...listIn(spec, "containers"), ...listIn(spec, "initContainers")]) {
    if (!isTree(container)) continue;
    const mount = { name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
    container["volumeMounts"] = [...listIn(container, "volumeMounts"), mount];
  }
}

function qosOf(spec: Tree): string {
  const resources = listIn(spec, "containers").map((container) => treeIn(container, "resources"));
  if (resources.every((one) => Object.keys(treeIn(one, "requests")).length + Object.keys(treeIn(one, "limits")).length === 0))
    return "BestEffort";
  const guaranteed = resources.every((one) => {
    const limits = treeIn(one, "limits");
    const requests = treeIn(one, "requests");
    return ["cpu", "memory"].every(
      (name) => limits[name] !== undefined && (requests[name] === undefined || isSame(requests[name], limits[name])),
    );
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}

function allocateAddresses(object: ApiObject, store: Store, old: ApiObject | undefined): void {
  const spec = specOf(object);
  if (object["status"] === undefined) object["status"] = { loadBalancer: {} };
  if (spec["type"] === "ExternalName") return;
  const kept = textIn(old, "spec", "clusterIP");
  if (spec["clusterIP"] === undefined || spec["clusterIP"] === "") spec["clusterIP"] = kept ?? freeAddress(store);
  fill(spec, { clusterIPs: [spec["clusterIP"]] });
  if (spec["type"] !== "NodePort" && spec["type"] !== "LoadBalancer") return;
  const before = listIn(old, "spec", "ports");
  const taken = new Set(store.list("/services").flatMap((one) => listIn(one, "spec", "ports").map((port) => numberIn(port, "nodePort"))));
  for (const [index, port] of listIn(spec, "ports").entries()) {
    if (!isTree(port) || port["nodePort"] !== undefined) continue;
    let nodePort = numberIn(before[index], "nodePort") ?? 30_000 + Math.floor(Math.random() * 2_768);
    while (before[index] === undefined && taken.has(nodePort)) nodePort = 30_000 + Math.floor(Math.random() * 2_768);
    port["nodePort"] = nodePort;
  }
}

function freeAddress(store: Store): string {
  const taken = new Set(store.list("/services").map((one) => textIn(one, "spec", "clusterIP")));
  for (;;) {
    const address = `10.96.${Math.floor(Math.random() * 256)}.${1 + Math.floor(Math.random() * 254)}`;
    if (!taken.has(address)) return address;
  }
}

const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  "apps/deployments": ["selector"],
  "apps/replicasets": ["selector"],
  "apps/daemonsets": ["selector"],
  "apps/statefulsets": ["selector", "serviceName", "volumeClaimTemplates", "podManagementPolicy"],
  "batch/jobs": ["selector", "completions", "template", "completionMode"],
};

/** What is written: over the stored object, if there is one, and through which subresource. */
export interface ChangeContext {
  readonly old: ApiObject | undefined;
  readonly subresource: string | undefined;
}

/** What the code of the API server refuses although the schema allows it; empty when nothing. */
export function kindCauses(storage: string, object: ApiObject, { old, subresource }: ChangeContext): StatusCause[] {
  const causes: StatusCause[] = [];
  const refuse = (field: string, value: unknown, text: string): void => {
    causes.push({ reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(value)}: ${text}`, field });
  };
  if (["apps/deployments", "apps/replicasets", "apps/statefulsets", "apps/daemonsets"].includes(storage)) {
    const labels = textMapIn(object, "spec", "template", "metadata", "labels");
    const selector = valueIn(object, "spec", "selector");
    if (isTree(selector) && !matcherOf(selector)(labels))
      refuse("spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
    if (isTree(selector) && Object.keys(selector).length === 0)
      refuse("spec.selector", selector, "empty selector is invalid for deployment");
  }
  const replicas = numberIn(object, "spec", "replicas");
  if (replicas !== undefined && replicas < 0) refuse("spec.replicas", replicas, "must be greater than or equal to 0");
  if (old) {
    for (const field of IMMUTABLE[storage] ?? []) {
      const before = valueIn(old, "spec", field);
      const after = valueIn(object, "spec", field);
      if (!isSame(before, after)) refuse(`spec.${field}`, after, "field is immutable");
    }
    if (storage.endsWith("bindings") && !isSame(old["roleRef"], object["roleRef"]))
      refuse("roleRef", object["roleRef"], "cannot change roleRef");
  }
  if (storage === "/pods" || isTree(valueIn(object, "spec", "template", "spec"))) causes.push(...podCauses(storage, object));
  if (storage === "/pods" && (!old || subresource === "ephemeralcontainers")) causes.push(...ephemeralCauses(object, old));
  else if (storage === "/pods" && old && !isSame(fixedSpec(old), fixedSpec(object))) {
    const message =
      "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
    causes.push({ reason: "FieldValueForbidden", message, field: "spec" });
  }
  if (storage === "apiextensions.k8s.io/customresourcedefinitions") causes.push(...definitionCauses(object));
  if (storage === "/configmaps" || storage === "/secrets") {
    for (const key of Object.keys(treeIn(object, "data"))) {
      if (!/^[-._a-zA-Z0-9]+$/.test(key))
        refuse(`data[${key}]`, key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'");
    }
    if (old?.["immutable"] === true && !isSame(old["data"], object["data"]))
      causes.push({ reason: "FieldValueForbidden", message: "Forbidden: field is immutable when `immutable` is set", field: "data" });
  }
  return causes;
}

/** The part of a pod's spec that never changes. */
function fixedSpec(pod: ApiObject): unknown {
  const { nodeName: _1, tolerations: _2, activeDeadlineSeconds: _3, terminationGracePeriodSeconds: _4, ...spec } = treeIn(pod, "spec");
  const withoutImages = (field: string): unknown => listIn(spec, field).map((container) => ({ ...treeIn(container), image: "" }));
  return { ...spec, containers: withoutImages("containers"), initContainers: withoutImages("initContainers") };
}

function definitionCauses(crd: ApiObject): StatusCause[] {
  const expected = `${textIn(crd, "spec", "names", "plural")}.${textIn(crd, "spec", "group")}`;
  const causes: StatusCause[] = [];
  if (crd.metadata.name !== expected) {
    causes.push({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(crd.metadata.name)}: must be spec.names.plural+"."+spec.group`,
      field: "metadata.name",
    });
  }
  const versions = listIn(crd, "spec", "versions");
  if (versions.filter((version) => valueIn(version, "storage") === true).length !== 1) {
    causes.push({
      reason: "FieldValueInvalid",
      message: "Invalid value: must have exactly one version marked as storage version",
      field: "spec.versions",
    });
  }
  for (const [index, version] of versions.entries()) {
    if (!isTree(valueIn(version, "schema", "openAPIV3Schema")))
      causes.push({
        reason: "FieldValueRequired",
        message: "Required value: schemas are required",
        field: `spec.versions[${index}].schema.openAPIV3Schema`,
      });
  }
  return causes;
}

function podCauses(storage: string, object: ApiObject): StatusCause[] {
  const path = storage === "/pods" ? ["spec"] : ["spec", "template", "spec"];
  const at = path.join(".");
  const containers = listIn(object, ...path, "containers");
  if (containers.length === 0) return [{ reason: "FieldValueRequired", message: "Required value", field: `${at}.containers` }];
  const seen = new Set<string>();
  return containers.flatMap((container, index): StatusCause[] => {
    const name = textIn(container, "name") ?? "";
    const twice = seen.has(name);
    seen.add(name);
    if (twice)
      return [
        { reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(name)}`, field: `${at}.containers[${index}].name` },
      ];
    if ((textIn(container, "image") ?? "") === "")
      return [{ reason: "FieldValueRequired", message: "Required value", field: `${at}.containers[${index}].image` }];
    return [];
  });
}
