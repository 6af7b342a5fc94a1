import { fieldsAt, keyOf, listAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { kindIdOf } from "./kind-id.ts";
import { bareToken, uidToken, type Token } from "./name-target.ts";
import { roleToken, type Reference } from "./reference.ts";
import { bindingReferences, certificateReferences, secretReferences } from "./references/access-references.ts";
import { helmReleaseReferences, inventoryReferences, kustomizationReferences } from "./references/flux-references.ts";
import { gatewayReferences, routeReferences } from "./references/gateway-references.ts";
import { DEFAULT_INGRESS_CLASS, ingressReferences } from "./references/ingress-references.ts";
import { managementReferences, managementTokens } from "./references/management-references.ts";
import {
  budgetReferences,
  endpointSliceReferences,
  endpointsReferences,
  networkPolicyReferences,
  serviceReferences,
  slicesTokenOf,
} from "./references/network-references.ts";
import { ownerReferences } from "./references/owner-references.ts";
import { claimReferences, DEFAULT_STORAGE_CLASS, volumeReferences } from "./references/storage-references.ts";
import {
  autoscalerReferences,
  cronJobReferences,
  podReferences,
  replicaReferences,
  serviceAccountReferences,
  statefulSetReferences,
  templateReferences,
} from "./references/workload-references.ts";

type ReferenceReader = (object: KubeObject) => Reference[];

const READERS: ReadonlyMap<string, ReferenceReader> = new Map(
  Object.entries({
    "/Pod": podReferences,
    "apps/Deployment": templateReferences,
    "apps/StatefulSet": statefulSetReferences,
    "apps/DaemonSet": templateReferences,
    "apps/ReplicaSet": replicaReferences,
    "/ReplicationController": replicaReferences,
    "batch/Job": templateReferences,
    "batch/CronJob": cronJobReferences,
    "autoscaling/HorizontalPodAutoscaler": autoscalerReferences,
    "/Service": serviceReferences,
    "/Endpoints": endpointsReferences,
    "/ServiceAccount": serviceAccountReferences,
    "/Secret": secretReferences,
    "discovery.k8s.io/EndpointSlice": endpointSliceReferences,
    "networking.k8s.io/Ingress": ingressReferences,
    "extensions/Ingress": ingressReferences,
    "networking.k8s.io/NetworkPolicy": networkPolicyReferences,
    "policy/PodDisruptionBudget": budgetReferences,
    "/PersistentVolumeClaim": claimReferences,
    "/PersistentVolume": volumeReferences,
    "gateway.networking.k8s.io/Gateway": gatewayReferences,
    "gateway.networking.k8s.io/HTTPRoute": routeReferences,
    "gateway.networking.k8s.io/GRPCRoute": routeReferences,
    "gateway.networking.k8s.io/TLSRoute": routeReferences,
    "gateway.networking.k8s.io/TCPRoute": routeReferences,
    "gateway.networking.k8s.io/UDPRoute": routeReferences,
    "rbac.authorization.k8s.io/RoleBinding": bindingReferences,
    "rbac.authorization.k8s.io/ClusterRoleBinding": bindingReferences,
    "cert-manager.io/Certificate": certificateReferences,
    "kustomize.toolkit.fluxcd.io/Kustomization": kustomizationReferences,
    "helm.toolkit.fluxcd.io/HelmRelease": helmReleaseReferences,
    "fluxcd.controlplane.io/ResourceSet": inventoryReferences,
    "fluxcd.controlplane.io/FluxInstance": inventoryReferences,
  }),
);

/** Kinds that have a reader of their own, as `group/kind`. */
export const READ_KINDS: readonly string[] = [...READERS.keys()];

/** Everything an object refers to, read from its own fields; odd shapes refer to nothing. */
export function referencesOf(object: KubeObject): Reference[] {
  const references = ownerReferences(object);
  const reader = READERS.get(kindIdOf(object));
  if (reader !== undefined) for (const reference of reader(object)) references.push(reference);
  for (const reference of managementReferences(object)) references.push(reference);
  return references;
}

/** Names under which others may refer to the object; the first is that of its key. */
export function tokensOf(object: KubeObject): readonly [ObjectKey, ...Token[]] {
  const key = keyOf(object);
  const uid = textAt(object.metadata, "uid");
  const identified = uid === "" ? bareToken(key) : uidToken(uid);
  const roles = ROLES.get(kindIdOf(object))?.(object);
  return roles === undefined ? [key, identified] : [key, identified, ...roles];
}

/** What objects of a kind may be referred to as, besides their name and uid. */
const ROLES: ReadonlyMap<string, (object: KubeObject) => string[]> = new Map(
  Object.entries({
    "apps/Deployment": connectableTokens,
    "apps/DaemonSet": connectableTokens,
    "apps/StatefulSet": (object: KubeObject) => [...connectableTokens(object), ...claimTokens(object)],
    "discovery.k8s.io/EndpointSlice": (object: KubeObject) => [slicesTokenOf(object) ?? []].flat(),
    "storage.k8s.io/StorageClass": (object: KubeObject) =>
      isDefault(object, "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
        ? [DEFAULT_STORAGE_CLASS]
        : [],
    "networking.k8s.io/IngressClass": (object: KubeObject) =>
      isDefault(object, "ingressclass.kubernetes.io/is-default-class") ? [DEFAULT_INGRESS_CLASS] : [],
    "apiextensions.k8s.io/CustomResourceDefinition": definitionTokens,
    "argoproj.io/Application": managementTokens,
    "helm.toolkit.fluxcd.io/HelmRelease": managementTokens,
  }),
);

/** `<template>-<name>`: what the claims of a StatefulSet begin with. */
function claimTokens(object: KubeObject): string[] {
  return listAt(fieldsAt(object, "spec"), "volumeClaimTemplates").flatMap((template) => {
    const name = textAt(fieldsAt(template, "metadata"), "name");
    return name === "" ? [] : [roleToken("claim", object.metadata.namespace ?? "", `${name}-${object.metadata.name}`)];
  });
}

function definitionTokens(object: KubeObject): string[] {
  const spec = fieldsAt(object, "spec");
  return [definitionToken(textAt(spec, "group"), textAt(fieldsAt(spec, "names"), "kind"))];
}

/** Token of the definition of a custom kind. */
export function definitionToken(group: string, kind: string): string {
  return roleToken("definition", group, kind);
}

/** "connects-to" names a workload, or the instance that it is part of. */
function connectableTokens(object: KubeObject): string[] {
  const { namespace = "", name } = object.metadata;
  const instance = textAt(object.metadata.labels, "app.kubernetes.io/instance");
  const names = instance === "" || instance === name ? [name] : [name, instance];
  return names.map((each) => roleToken("connectable", namespace, each));
}

function isDefault(object: KubeObject, ...annotations: string[]): boolean {
  return annotations.some((annotation) => textAt(object.metadata.annotations, annotation) === "true");
}
