import { fieldsAt, isFields, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { keyToken, referenceByName, referenceTo, type Reference } from "../reference.ts";
import { podNeeds } from "./pod-spec.ts";

const POD_EDGES = { ConfigMap: "pod-cm", Secret: "pod-secret", PersistentVolumeClaim: "pod-pvc" } as const;

/** Pod → ConfigMap, Secret, claim, ServiceAccount, Node. */
export function podReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references = podNeeds(spec, "spec").map(({ kind, name, fieldPath, optional }) =>
    referenceByName(POD_EDGES[kind], fieldPath, { key: { group: "", kind, namespace, name }, optional }),
  );
  for (const [index, volume] of listAt(spec, "volumes").entries()) {
    if (!isFields(fieldsAt(volume, "ephemeral")["volumeClaimTemplate"])) continue;
    const name = `${object.metadata.name}-${textAt(volume, "name")}`;
    const key = { group: "", kind: "PersistentVolumeClaim", namespace, name };
    references.push(referenceByName("pod-pvc", `spec.volumes[${index}].ephemeral`, { key, soft: true }));
  }
  for (const [index, secret] of listAt(spec, "imagePullSecrets").entries()) {
    const key = { group: "", kind: "Secret", namespace, name: textAt(secret, "name") };
    references.push(referenceByName("pod-pullsecret", `spec.imagePullSecrets[${index}].name`, { key, soft: true }));
  }
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("pod-sa", "spec.serviceAccountName", { key, soft: true }));
  }
  const node = textAt(spec, "nodeName");
  if (node !== "") {
    references.push(
      referenceByName("pod-node", "spec.nodeName", { key: { group: "", kind: "Node", namespace: "", name: node }, soft: true }),
    );
  }
  return references;
}

/** Deployment, StatefulSet, DaemonSet, Job → what its pods will need: visible with no pods at all. */
export function templateReferences(object: KubeObject): Reference[] {
  return mounts(object, fieldsAt(fieldsAt(object, "spec"), "template"), "spec.template");
}

/** CronJob → what the pods of its Jobs will need. */
export function cronJobReferences(object: KubeObject): Reference[] {
  const template = fieldsAt(fieldsAt(fieldsAt(object, "spec"), "jobTemplate"), "spec");
  return mounts(object, fieldsAt(template, "template"), "spec.jobTemplate.spec.template");
}

/** HorizontalPodAutoscaler → what it scales; the version in its reference says nothing, only the group does. */
export function autoscalerReferences(object: KubeObject): Reference[] {
  const target = fieldsAt(fieldsAt(object, "spec"), "scaleTargetRef");
  const [kind, name, apiVersion] = [textAt(target, "kind"), textAt(target, "name"), textAt(target, "apiVersion")];
  if (kind === "" || name === "") return [];
  const slash = apiVersion.indexOf("/");
  const key = { group: slash < 0 ? "" : apiVersion.slice(0, slash), kind, namespace: object.metadata.namespace ?? "", name };
  const ghost = { ...key, version: apiVersion.slice(slash + 1) };
  return [referenceTo("hpa", "spec.scaleTargetRef", { target: { by: "name", tokens: [keyToken(key)], ghost } })];
}

function mounts(object: KubeObject, template: unknown, path: string): Reference[] {
  const namespace = object.metadata.namespace ?? "";
  const spec = fieldsAt(template, "spec");
  const references = podNeeds(spec, `${path}.spec`).map(({ kind, name, fieldPath, optional }) =>
    referenceByName("tmpl-mount", fieldPath, { key: { group: "", kind, namespace, name }, optional }),
  );
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("tmpl-mount", `${path}.spec.serviceAccountName`, { key, soft: true }));
  }
  return references;
}
