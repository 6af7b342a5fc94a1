import { isFields, listAt, textAt, type Fields } from "@binnacle/kube";

import type { EdgeKind } from "../edge-catalogue.ts";
import type { FieldPath } from "../field-path.ts";
import { referenceByName, type Reference } from "../reference.ts";

/** Kinds that a pod spec names, and their groups. */
const GROUPS = {
  ConfigMap: "",
  Secret: "",
  PersistentVolumeClaim: "",
  ResourceClaim: "resource.k8s.io",
  ResourceClaimTemplate: "resource.k8s.io",
  SecretProviderClass: "secrets-store.csi.x-k8s.io",
} as const;

type NeededKind = keyof typeof GROUPS;

/** Who has the pod spec. */
export interface PodSpecHolder {
  readonly namespace: string;
  /** What its lines to objects of a kind are. */
  readonly edges: Readonly<Record<NeededKind, EdgeKind>>;
}

/** References that were found so far. */
interface Needs {
  readonly holder: PodSpecHolder;
  readonly references: Reference[];
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
export function podNeeds(spec: unknown, path: FieldPath, holder: PodSpecHolder): Reference[] {
  const needs: Needs = { holder, references: [] };
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
  return needs.references;
}

/** A device by its claim, or by the template from which each pod gets a claim of its own. */
function addDevice(needs: Needs, device: unknown, path: FieldPath): void {
  const [claim, template] = [textAt(device, "resourceClaimName"), textAt(device, "resourceClaimTemplateName")];
  if (claim !== "") addNeed(needs, "ResourceClaim", { name: claim, path: path.field("resourceClaimName") });
  if (template !== "") addNeed(needs, "ResourceClaimTemplate", { name: template, path: path.field("resourceClaimTemplateName") });
}

interface Need {
  readonly name: string;
  readonly path: FieldPath;
  readonly optional?: boolean;
}

function addNeed({ holder, references }: Needs, kind: NeededKind, { name, path, optional = false }: Need): void {
  const key = { group: GROUPS[kind], kind, namespace: holder.namespace, name };
  references.push(referenceByName(holder.edges[kind], path.text, { key, optional }));
}

function addContainer(needs: Needs, container: Fields, path: FieldPath): void {
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
function addVolume(needs: Needs, volume: Fields, path: FieldPath): void {
  for (const key in volume) {
    if (!Object.hasOwn(volume, key)) continue;
    if (key === "configMap") add(needs, "ConfigMap", { parent: volume, source: key, path });
    else if (key === "secret") add(needs, "Secret", { parent: volume, source: key, path, field: "secretName" });
    else if (key === "persistentVolumeClaim")
      add(needs, "PersistentVolumeClaim", { parent: volume, source: key, path, field: "claimName" });
    else if (key === "projected") addProjected(needs, listAt(volume[key], "sources"), path.field("projected").field("sources"));
    else addDriverSecret(needs, { parent: volume, source: key, path });
  }
}

function addProjected(needs: Needs, sources: readonly unknown[], path: FieldPath): void {
  for (let index = 0; index < sources.length; index += 1) {
    const parent = sources[index];
    if (!isFields(parent)) continue;
    add(needs, "ConfigMap", { parent, source: "configMap", path: path.at(index) });
    add(needs, "Secret", { parent, source: "secret", path: path.at(index) });
  }
}

function addDriverSecret(needs: Needs, { parent, source, path }: Source): void {
  const driver = DRIVER_SECRETS.get(source);
  const value = parent[source];
  if (driver === undefined || !isFields(value)) return;
  if (source === "csi" && value["driver"] === SECRETS_STORE_DRIVER) addSecretClass(needs, value, path.field(source));
  if (driver.source === undefined) add(needs, "Secret", { parent, source, path, field: driver.field });
  else add(needs, "Secret", { parent: value, source: driver.source, path: path.field(source), field: driver.field });
}

function addSecretClass(needs: Needs, volume: Fields, path: FieldPath): void {
  const name = textAt(volume["volumeAttributes"], "secretProviderClass");
  if (name !== "") addNeed(needs, "SecretProviderClass", { name, path: path.field("volumeAttributes").field("secretProviderClass") });
}

interface Source {
  readonly parent: Fields;
  /** Field of the parent that names the object. */
  readonly source: string;
  /** Where the parent stands. */
  readonly path: FieldPath;
  readonly field?: string;
}

function add(needs: Needs, kind: NeededKind, { parent, source, path, field = "name" }: Source): void {
  const value = parent[source];
  if (!isFields(value)) return;
  const name = textAt(value, field);
  if (name === "" || (kind === "ConfigMap" && name === ROOT_CA)) return;
  addNeed(needs, kind, { name, path: path.field(source).field(field), optional: value["optional"] === true });
}
