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
    const from = isFields(variable) ? variable["valueFrom"] : undefined;
    if (!isFields(from)) continue;
    const at = `${path}.env[${index}].valueFrom`;
    add(needs, "ConfigMap", { parent: from, source: "configMapKeyRef", path: at });
    add(needs, "Secret", { parent: from, source: "secretKeyRef", path: at });
  }
  for (const [index, parent] of listAt(container, "envFrom").entries()) {
    const at = `${path}.envFrom[${index}]`;
    add(needs, "ConfigMap", { parent, source: "configMapRef", path: at });
    add(needs, "Secret", { parent, source: "secretRef", path: at });
  }
}

/** A volume names a Secret by `secretName`, everything else by `name`. */
function addVolume(needs: PodNeed[], volume: unknown, path: string): void {
  add(needs, "ConfigMap", { parent: volume, source: "configMap", path });
  add(needs, "Secret", { parent: volume, source: "secret", path, field: "secretName" });
  for (const [index, parent] of listAt(fieldsAt(volume, "projected"), "sources").entries()) {
    const at = `${path}.projected.sources[${index}]`;
    add(needs, "ConfigMap", { parent, source: "configMap", path: at });
    add(needs, "Secret", { parent, source: "secret", path: at });
  }
  add(needs, "PersistentVolumeClaim", { parent: volume, source: "persistentVolumeClaim", path, field: "claimName" });
  add(needs, "Secret", { parent: fieldsAt(volume, "csi"), source: "nodePublishSecretRef", path: `${path}.csi` });
}

interface Source {
  readonly parent: unknown;
  /** Field of the parent that names the object. */
  readonly source: string;
  /** Where the parent stands. */
  readonly path: string;
  readonly field?: string;
}

function add(needs: PodNeed[], kind: PodNeed["kind"], { parent, source, path, field = "name" }: Source): void {
  const value = isFields(parent) ? parent[source] : undefined;
  const name = textAt(value, field);
  if (name === "") return;
  needs.push({ kind, name, fieldPath: `${path}.${source}.${field}`, optional: isFields(value) && value["optional"] === true });
}
