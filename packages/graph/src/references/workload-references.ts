import { fieldsAt, groupOf, isFields, listAt, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { rowOf } from "../edge-catalogue.ts";
import { FieldPath } from "../field-path.ts";
import { NO_DETAILS, referenceByName, roleToken, referenceByToken, type Reference } from "../reference.ts";
import { isControlled } from "./owner-references.ts";
import { podNeeds } from "./pod-spec.ts";
import { podSpecNeeds, pullSecretReferences } from "./template-needs.ts";

const POD_EDGES = {
  ConfigMap: "pod-cm",
  Secret: "pod-secret",
  PersistentVolumeClaim: "pod-pvc",
  ResourceClaim: "pod-claim",
  ResourceClaimTemplate: "pod-claim",
  SecretProviderClass: "pod-secretclass",
} as const;
const SPEC = FieldPath.of("spec");
const TEMPLATE_SPEC = FieldPath.of("spec", "template", "spec");

/** Pod → ConfigMap, Secret, secret class, claims, ServiceAccount, Node, PriorityClass, RuntimeClass. */
export function podReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references = podNeeds(spec, SPEC, { namespace, edges: POD_EDGES });
  addGeneratedClaims(references, object, namespace);
  const volumes = listAt(spec, "volumes");
  for (let index = 0; index < volumes.length; index += 1) {
    const volume = volumes[index];
    if (!isFields(volume) || volume["ephemeral"] === undefined) continue;
    if (!isFields(fieldsAt(volume, "ephemeral")["volumeClaimTemplate"])) continue;
    const name = `${object.metadata.name}-${textAt(volume, "name")}`;
    const key = { group: "", kind: "PersistentVolumeClaim", namespace, name };
    references.push(referenceByName("pod-pvc", `spec.volumes[${index}].ephemeral`, { key, soft: true }));
  }
  for (const reference of pullSecretReferences(spec, "spec.imagePullSecrets", namespace)) references.push(reference);
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("pod-sa", "spec.serviceAccountName", { key, soft: true }));
  }
  for (const { edge, field, path, group, kind } of POD_HUBS) {
    const name = textAt(spec, field);
    if (name === "") continue;
    references.push(referenceByName(edge, path, { key: { group, kind, namespace: "", name }, soft: true }));
  }
  return references;
}

/** Objects of the cluster that many pods share. */
const POD_HUBS = [
  { edge: "pod-node", field: "nodeName", path: "spec.nodeName", group: "", kind: "Node" },
  { edge: "pod-prio", field: "priorityClassName", path: "spec.priorityClassName", group: "scheduling.k8s.io", kind: "PriorityClass" },
  { edge: "pod-rc", field: "runtimeClassName", path: "spec.runtimeClassName", group: "node.k8s.io", kind: "RuntimeClass" },
] as const;

/** Claims that were made for this pod from templates: their names are generated, and stand in the status. */
function addGeneratedClaims(references: Reference[], object: KubeObject, namespace: string): void {
  const statuses = listAt(object["status"], "resourceClaimStatuses");
  for (let index = 0; index < statuses.length; index += 1) {
    const name = textAt(statuses[index], "resourceClaimName");
    if (name === "") continue;
    const key = { group: "resource.k8s.io", kind: "ResourceClaim", namespace, name };
    references.push(referenceByName("pod-claim", `status.resourceClaimStatuses[${index}].resourceClaimName`, { key, soft: true }));
  }
}

/** ServiceAccount → Secrets that its pods pull images with, and Secrets that it was given (tokens, before Kubernetes 1.24). */
export function serviceAccountReferences(object: KubeObject): Reference[] {
  const namespace = object.metadata.namespace ?? "";
  const given = listAt(object, "secrets").flatMap((secret, index) => {
    const name = textAt(secret, "name");
    if (name === "") return [];
    return [referenceByName("sa-secret", `secrets[${index}].name`, { key: { group: "", kind: "Secret", namespace, name }, soft: true })];
  });
  return [...pullSecretReferences(object, "imagePullSecrets", namespace), ...given];
}

/** Deployment, DaemonSet, Job → what its pods will need: visible with no pods at all. */
export function templateReferences(object: KubeObject): Reference[] {
  const template = fieldsAt(fieldsAt(object, "spec"), "template");
  return [...podSpecNeeds(object, template["spec"], TEMPLATE_SPEC), ...connections(object)];
}

/**
 * StatefulSet → what its pods will need, and the Service that gives them names. Kubernetes runs the pods without it, and many
 * charts name one that they never make: nothing is missing then.
 */
export function statefulSetReferences(object: KubeObject): Reference[] {
  const references = templateReferences(object);
  const name = textAt(fieldsAt(object, "spec"), "serviceName");
  if (name === "") return references;
  const key = { group: "", kind: "Service", namespace: object.metadata.namespace ?? "", name };
  references.push(referenceByName("sts-svc", "spec.serviceName", { key, soft: true }));
  return references;
}

/** ReplicaSet, ReplicationController → what its pods will need, unless who controls it says so already. */
export function replicaReferences(object: KubeObject): Reference[] {
  return isControlled(object) ? [] : templateReferences(object);
}

/**
 * Labels that the pods of a workload get, for Services that would select them: of Deployments, StatefulSets, DaemonSets, and
 * ReplicaSets and ReplicationControllers without a controller. They are read also when there are no pods.
 *
 * @returns `undefined` for everything else
 */
export function templateLabelsOf(object: KubeObject): unknown {
  const { apiVersion, kind } = object;
  const inApps = apiVersion.startsWith("apps/");
  const isWorkload = inApps && (kind === "Deployment" || kind === "StatefulSet" || kind === "DaemonSet");
  const isReplicas = inApps ? kind === "ReplicaSet" : kind === "ReplicationController" && apiVersion === "v1";
  if (!isWorkload && !(isReplicas && !isControlled(object))) return undefined;
  return fieldsAt(fieldsAt(fieldsAt(object["spec"], "template"), "metadata"), "labels");
}

/** CronJob → what the pods of its Jobs will need. */
export function cronJobReferences(object: KubeObject): Reference[] {
  const template = fieldsAt(fieldsAt(fieldsAt(object, "spec"), "jobTemplate"), "spec");
  return podSpecNeeds(object, fieldsAt(template, "template")["spec"], FieldPath.of("spec", "jobTemplate", "spec", "template", "spec"));
}

/** HorizontalPodAutoscaler → what it scales, and objects whose metrics it reads. */
export function autoscalerReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references = scaled(object, spec["scaleTargetRef"], "spec.scaleTargetRef");
  for (const [index, metric] of listAt(spec, "metrics").entries()) {
    const described = fieldsAt(fieldsAt(metric, "object"), "describedObject");
    references.push(...scaled(object, described, `spec.metrics[${index}].object.describedObject`));
  }
  return references;
}

/** The version in the reference says nothing, only the group does. */
function scaled(object: KubeObject, value: unknown, path: string): Reference[] {
  const [kind, name, apiVersion] = [textAt(value, "kind"), textAt(value, "name"), textAt(value, "apiVersion")];
  if (kind === "" || name === "") return [];
  const group = groupOf(apiVersion);
  const key = { group, kind, namespace: namespaceFor(group, kind, object.metadata.namespace ?? ""), name };
  const target = { by: "key", ...key, hasGhost: true, version: versionOf(apiVersion) } as const;
  return [{ row: rowOf("hpa"), fieldPath: path, optional: false, target, details: NO_DETAILS }];
}

const CONNECTS_TO = "app.openshift.io/connects-to";

/** What the workload talks to, as a user annotated it: a list of names or references as JSON, or names between commas. */
function connections(object: KubeObject): Reference[] {
  const text = textAt(object.metadata.annotations, CONNECTS_TO);
  if (text === "") return [];
  const namespace = object.metadata.namespace ?? "";
  const path = `metadata.annotations[${CONNECTS_TO}]`;
  return connected(text).flatMap((entry) => {
    const name = typeof entry === "string" ? entry.trim() : textAt(entry, "name");
    if (name === "") return [];
    const kind = textAt(entry, "kind");
    if (kind === "") return [referenceByToken("connects-to", path, { token: roleToken("connectable", namespace, name) })];
    const group = groupOf(textAt(entry, "apiVersion"));
    return [referenceByName("connects-to", path, { key: { group, kind, namespace, name }, soft: true })];
  });
}

function connected(text: string): readonly unknown[] {
  if (!text.trimStart().startsWith("[")) return text.split(",");
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
