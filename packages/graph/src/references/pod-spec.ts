import { fieldsAt, isFields, listAt, textAt } from "@binnacle/kube";

/** An object that a pod spec needs, in the namespace of the pod. */
export interface PodNeed {
  readonly kind: "ConfigMap" | "Secret" | "PersistentVolumeClaim";
  readonly name: string;
  readonly fieldPath: string;
  readonly optional: boolean;
}

/** Put into every namespace and every pod by Kubernetes itself. */
const ROOT_CA = "kube-root-ca.crt";

/**
 * ConfigMaps, Secrets and claims that a pod spec names, in containers of all three sorts and in volumes. Only names are read.
 *
 * @param path where the spec stands, for example "spec.template.spec"
 */
export function podNeeds(spec: unknown, path: string): PodNeed[] {
  const needs: PodNeed[] = [];
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const [index, container] of listAt(spec, list).entries()) addContainer(needs, container, `${path}.${list}[${index}]`);
  }
  for (const [index, volume] of listAt(spec, "volumes").entries()) addVolume(needs, volume, `${path}.volumes[${index}]`);
  return needs.filter(({ kind, name }) => name !== "" && !(kind === "ConfigMap" && name === ROOT_CA));
}

function addContainer(needs: PodNeed[], container: unknown, path: string): void {
  for (const [index, variable] of listAt(container, "env").entries()) {
    const from = fieldsAt(variable, "valueFrom");
    const at = `${path}.env[${index}].valueFrom`;
    add(needs, "ConfigMap", { source: from["configMapKeyRef"], path: `${at}.configMapKeyRef` });
    add(needs, "Secret", { source: from["secretKeyRef"], path: `${at}.secretKeyRef` });
  }
  for (const [index, from] of listAt(container, "envFrom").entries()) {
    const at = `${path}.envFrom[${index}]`;
    add(needs, "ConfigMap", { source: fieldsAt(from, "configMapRef"), path: `${at}.configMapRef` });
    add(needs, "Secret", { source: fieldsAt(from, "secretRef"), path: `${at}.secretRef` });
  }
}

function addVolume(needs: PodNeed[], volume: unknown, path: string): void {
  addSources(needs, volume, path);
  for (const [index, source] of listAt(fieldsAt(volume, "projected"), "sources").entries()) {
    const at = `${path}.projected.sources[${index}]`;
    add(needs, "ConfigMap", { source: fieldsAt(source, "configMap"), path: `${at}.configMap` });
    add(needs, "Secret", { source: fieldsAt(source, "secret"), path: `${at}.secret` });
  }
  add(needs, "PersistentVolumeClaim", {
    source: fieldsAt(volume, "persistentVolumeClaim"),
    path: `${path}.persistentVolumeClaim`,
    field: "claimName",
  });
  const driver = fieldsAt(fieldsAt(volume, "csi"), "nodePublishSecretRef");
  add(needs, "Secret", { source: driver, path: `${path}.csi.nodePublishSecretRef` });
}

/** A volume names a Secret by `secretName`, everything else by `name`. */
function addSources(needs: PodNeed[], volume: unknown, path: string): void {
  add(needs, "ConfigMap", { source: fieldsAt(volume, "configMap"), path: `${path}.configMap` });
  add(needs, "Secret", { source: fieldsAt(volume, "secret"), path: `${path}.secret`, field: "secretName" });
}

interface Source {
  readonly source: unknown;
  readonly path: string;
  readonly field?: string;
}

function add(needs: PodNeed[], kind: PodNeed["kind"], { source, path, field = "name" }: Source): void {
  const name = textAt(source, field);
  if (name === "") return;
  needs.push({ kind, name, fieldPath: `${path}.${field}`, optional: isFields(source) && source["optional"] === true });
}
