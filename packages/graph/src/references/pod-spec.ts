import { isFields, listAt, textAt, type Fields } from "@binnacle/kube";

import type { FieldPath } from "../field-path.ts";

/** Kinds that a pod spec names, and their groups. */
const GROUPS = {
  ConfigMap: "",
  Secret: "",
  PersistentVolumeClaim: "",
  ResourceClaim: "resource.k8s.io",
  ResourceClaimTemplate: "resource.k8s.io",
  SecretProviderClass: "secrets-store.csi.x-k8s.io",
} as const;

/** An object that a pod spec needs, in the namespace of the pod. */
export interface PodNeed {
  readonly group: string;
  readonly kind: keyof typeof GROUPS;
  readonly name: string;
  readonly fieldPath: string;
  readonly optional: boolean;
}

/** Put into every namespace and every pod by Kubernetes itself. */
const ROOT_CA = "kube-root-ca.crt";

/** The driver of the Kubernetes SIG that mounts secrets of outside stores: its class is an attribute of the volume. */
const SECRETS_STORE_DRIVER = "secrets-store.csi.k8s.io";

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Volumes of drivers that log in with a Secret of the pod's namespace, and where they name it. */
const DRIVER_SECRETS: ReadonlyMap<string, { readonly source?: string; readonly field: string }> = new Map([
  ["csi", { source: "nodePublishSecretRef", field: "name" }],
  ["flexVolume", { source: "secretRef", field: "name" }],
  ["cephfs", { source: "secretRef", field: "name" }],
  ["rbd", { source: "secretRef", field: "name" }],
  ["iscsi", { source: "secretRef", field: "name" }],
  ["scaleIO", { source: "secretRef", field: "name" }],
  ["storageos", { source: "secretRef", field: "name" }],
  ["azureFile", { field: "secretName" }],
]);

/**
 * ConfigMaps, Secrets, claims and secret classes that a pod spec names, in containers of all three sorts, in volumes and as
 * devices. Only names are read.
 * Most objects of a cluster are pods: lists are walked by index, and a path is looked up only for what is found.
 *
 * @param path where the spec stands
 */
export function podNeeds(spec: unknown, path: FieldPath): PodNeed[] {
  const needs: PodNeed[] = [];
  for (const list of CONTAINER_LISTS) {
    const containers = listAt(spec, list);
    for (let index = 0; index < containers.length; index += 1) {
      const container = containers[index];
      if (isFields(container)) addContainer(needs, container, path.field(list).at(index));
    }
  }
  const volumes = listAt(spec, "volumes");
  for (let index = 0; index < volumes.length; index += 1) {
    const volume = volumes[index];
    if (isFields(volume)) addVolume(needs, volume, path.field("volumes").at(index));
  }
  const devices = listAt(spec, "resourceClaims");
  for (let index = 0; index < devices.length; index += 1) addDevice(needs, devices[index], path.field("resourceClaims").at(index));
  return needs;
}

/** A device by its claim, or by the template from which each pod gets a claim of its own. */
function addDevice(needs: PodNeed[], device: unknown, path: FieldPath): void {
  const [claim, template] = [textAt(device, "resourceClaimName"), textAt(device, "resourceClaimTemplateName")];
  if (claim !== "") needs.push(need("ResourceClaim", claim, path.field("resourceClaimName")));
  if (template !== "") needs.push(need("ResourceClaimTemplate", template, path.field("resourceClaimTemplateName")));
}

function need(kind: PodNeed["kind"], name: string, path: FieldPath): PodNeed {
  return { group: GROUPS[kind], kind, name, fieldPath: path.text, optional: false };
}

function addContainer(needs: PodNeed[], container: Fields, path: FieldPath): void {
  const variables = listAt(container, "env");
  for (let index = 0; index < variables.length; index += 1) {
    const variable = variables[index];
    const from = isFields(variable) ? variable["valueFrom"] : undefined;
    if (!isFields(from)) continue;
    const at = path.field("env").at(index).field("valueFrom");
    add(needs, "ConfigMap", { parent: from, source: "configMapKeyRef", path: at });
    add(needs, "Secret", { parent: from, source: "secretKeyRef", path: at });
  }
  const sources = listAt(container, "envFrom");
  for (let index = 0; index < sources.length; index += 1) {
    const parent = sources[index];
    if (!isFields(parent)) continue;
    const at = path.field("envFrom").at(index);
    add(needs, "ConfigMap", { parent, source: "configMapRef", path: at });
    add(needs, "Secret", { parent, source: "secretRef", path: at });
  }
}

/** A volume names a Secret by `secretName`, everything else by `name`. */
function addVolume(needs: PodNeed[], volume: Fields, path: FieldPath): void {
  for (const key of Object.keys(volume)) {
    if (key === "configMap") add(needs, "ConfigMap", { parent: volume, source: key, path });
    else if (key === "secret") add(needs, "Secret", { parent: volume, source: key, path, field: "secretName" });
    else if (key === "persistentVolumeClaim")
      add(needs, "PersistentVolumeClaim", { parent: volume, source: key, path, field: "claimName" });
    else if (key === "projected") addProjected(needs, listAt(volume[key], "sources"), path.field("projected").field("sources"));
    else addDriverSecret(needs, { parent: volume, source: key, path });
  }
}

function addProjected(needs: PodNeed[], sources: readonly unknown[], path: FieldPath): void {
  for (let index = 0; index < sources.length; index += 1) {
    const parent = sources[index];
    if (!isFields(parent)) continue;
    add(needs, "ConfigMap", { parent, source: "configMap", path: path.at(index) });
    add(needs, "Secret", { parent, source: "secret", path: path.at(index) });
  }
}

function addDriverSecret(needs: PodNeed[], { parent, source, path }: Source): void {
  const driver = DRIVER_SECRETS.get(source);
  const value = parent[source];
  if (driver === undefined || !isFields(value)) return;
  if (source === "csi" && value["driver"] === SECRETS_STORE_DRIVER) addSecretClass(needs, value, path.field(source));
  if (driver.source === undefined) add(needs, "Secret", { parent, source, path, field: driver.field });
  else add(needs, "Secret", { parent: value, source: driver.source, path: path.field(source), field: driver.field });
}

function addSecretClass(needs: PodNeed[], volume: Fields, path: FieldPath): void {
  const name = textAt(volume["volumeAttributes"], "secretProviderClass");
  if (name !== "") needs.push(need("SecretProviderClass", name, path.field("volumeAttributes").field("secretProviderClass")));
}

interface Source {
  readonly parent: Fields;
  /** Field of the parent that names the object. */
  readonly source: string;
  /** Where the parent stands. */
  readonly path: FieldPath;
  readonly field?: string;
}

function add(needs: PodNeed[], kind: PodNeed["kind"], { parent, source, path, field = "name" }: Source): void {
  const value = parent[source];
  if (!isFields(value)) return;
  const name = textAt(value, field);
  if (name === "" || (kind === "ConfigMap" && name === ROOT_CA)) return;
  needs.push({ ...need(kind, name, path.field(source).field(field)), optional: value["optional"] === true });
}
