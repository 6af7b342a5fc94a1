import { fieldsAt, groupOf, isFields, listAt, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { rowOf } from "../edge-catalogue.ts";
import { FieldPath } from "../field-path.ts";
import { keyToken, NO_DETAILS, referenceByName, roleToken, referenceByToken, type Reference } from "../reference.ts";
import { isControlled } from "./owner-references.ts";
import { podNeeds } from "./pod-spec.ts";

const POD_EDGES = { ConfigMap: "pod-cm", Secret: "pod-secret", PersistentVolumeClaim: "pod-pvc" } as const;
const SPEC = FieldPath.of("spec");

/** Pod → ConfigMap, Secret, claim, ServiceAccount, Node, PriorityClass, RuntimeClass. */
export function podReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references: Reference[] = [];
  for (const { kind, name, fieldPath, optional } of podNeeds(spec, SPEC)) {
    references.push(referenceByName(POD_EDGES[kind], fieldPath, { key: { group: "", kind, namespace, name }, optional }));
  }
  for (const [index, volume] of listAt(spec, "volumes").entries()) {
    if (!isFields(volume) || volume["ephemeral"] === undefined) continue;
    if (!isFields(fieldsAt(volume, "ephemeral")["volumeClaimTemplate"])) continue;
    const name = `${object.metadata.name}-${textAt(volume, "name")}`;
    const key = { group: "", kind: "PersistentVolumeClaim", namespace, name };
    references.push(referenceByName("pod-pvc", `spec.volumes[${index}].ephemeral`, { key, soft: true }));
  }
  references.push(...pullSecretReferences(spec["imagePullSecrets"], "spec.imagePullSecrets", namespace));
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("pod-sa", "spec.serviceAccountName", { key, soft: true }));
  }
  for (const { edge, field, group, kind } of POD_HUBS) {
    const name = textAt(spec, field);
    if (name === "") continue;
    references.push(referenceByName(edge, `spec.${field}`, { key: { group, kind, namespace: "", name }, soft: true }));
  }
  return references;
}

/** Objects of the cluster that many pods share. */
const POD_HUBS = [
  { edge: "pod-node", field: "nodeName", group: "", kind: "Node" },
  { edge: "pod-prio", field: "priorityClassName", group: "scheduling.k8s.io", kind: "PriorityClass" },
  { edge: "pod-rc", field: "runtimeClassName", group: "node.k8s.io", kind: "RuntimeClass" },
] as const;

/** ServiceAccount → Secrets that its pods pull images with. */
export function serviceAccountReferences(object: KubeObject): Reference[] {
  return pullSecretReferences(object["imagePullSecrets"], "imagePullSecrets", object.metadata.namespace ?? "");
}

/** Deployment, StatefulSet, DaemonSet, Job → what its pods will need: visible with no pods at all. */
export function templateReferences(object: KubeObject): Reference[] {
  const template = fieldsAt(fieldsAt(object, "spec"), "template");
  return [...mounts(object, template, SPEC.field("template")), ...connections(object)];
}

/**
 * Labels that the pods of a workload get, for Services that would select them: of Deployments, StatefulSets, DaemonSets, and
 * ReplicaSets that nobody controls. They tell also when there are no pods.
 *
 * @returns `undefined` for everything else
 */
export function templateLabelsOf(object: KubeObject): unknown {
  if (!object.apiVersion.startsWith("apps/")) return undefined;
  const { kind } = object;
  const isWorkload = kind === "Deployment" || kind === "StatefulSet" || kind === "DaemonSet";
  if (!isWorkload && !(kind === "ReplicaSet" && !isControlled(object))) return undefined;
  return fieldsAt(fieldsAt(fieldsAt(object["spec"], "template"), "metadata"), "labels");
}

/** CronJob → what the pods of its Jobs will need. */
export function cronJobReferences(object: KubeObject): Reference[] {
  const template = fieldsAt(fieldsAt(fieldsAt(object, "spec"), "jobTemplate"), "spec");
  return mounts(object, fieldsAt(template, "template"), FieldPath.of("spec", "jobTemplate", "spec", "template"));
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
  const ghost = { group, kind, namespace: namespaceFor(group, kind, object.metadata.namespace ?? ""), name };
  const target = { by: "name", token: keyToken(ghost), bare: undefined, ghost, version: versionOf(apiVersion) } as const;
  return [{ row: rowOf("hpa"), fieldPath: path, optional: false, target, details: NO_DETAILS }];
}

function mounts(object: KubeObject, template: unknown, path: FieldPath): Reference[] {
  const namespace = object.metadata.namespace ?? "";
  const spec = fieldsAt(template, "spec");
  const references = podNeeds(spec, path.field("spec")).map(({ kind, name, fieldPath, optional }) =>
    referenceByName("tmpl-mount", fieldPath, { key: { group: "", kind, namespace, name }, optional }),
  );
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("tmpl-mount", `${path.text}.spec.serviceAccountName`, { key, soft: true }));
  }
  return references;
}

function pullSecretReferences(value: unknown, path: string, namespace: string): Reference[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((secret: unknown, index) => {
    const name = textAt(secret, "name");
    if (name === "") return [];
    return [
      referenceByName("pod-pullsecret", `${path}[${index}].name`, { key: { group: "", kind: "Secret", namespace, name }, soft: true }),
    ];
  });
}

const CONNECTS_TO = "app.openshift.io/connects-to";

/** What a user said that the workload talks to: a list of names or references as JSON, or names between commas. */
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
