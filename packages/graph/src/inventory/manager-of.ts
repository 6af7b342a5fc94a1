import { fieldsAt, groupOf, isFields, listAt, textAt, type Fields, type KubeObject } from "@binnacle/kube";

import type { InventoryTool, ManagedBy } from "./managed-by.ts";

const TRACKING_ID = "argocd.argoproj.io/tracking-id";

/**
 * The inventory that an object itself says it belongs to. Only marks that really mean this object count: children carry copies
 * of what stood on their parent or in its template. So nothing counts on an object that a controller owns or mirrors, nor on one
 * whose Argo CD tracking id names another object; a tracking id that names this very object always counts.
 *
 * @returns `undefined` when there is no such mark; never throws on odd shapes
 * @see Argo CD, "Resource Tracking"; Flux, "Kustomization: labels"; cli-utils `config.k8s.io/owning-inventory`; Helm 3 adoption
 */
export function managerOf(object: KubeObject): ManagedBy | undefined {
  const annotations = fieldsAt(object.metadata, "annotations");
  const labels = fieldsAt(object.metadata, "labels");
  const trackingId = textAt(annotations, TRACKING_ID);
  if (trackingId !== "") return named("argocd", applicationTracking(object, trackingId));
  if (isControlled(object) || isMirrored(object, { labels, annotations })) return undefined;
  return (
    named("cli-utils", textAt(annotations, "config.k8s.io/owning-inventory")) ??
    named("flux-helmrelease", pair(labels, "helm.toolkit.fluxcd.io/")) ??
    named("flux-kustomization", pair(labels, "kustomize.toolkit.fluxcd.io/")) ??
    named("argocd", applicationByLabel(labels, annotations)) ??
    named("helm", helmRelease(labels, annotations))
  );
}

function named(tool: InventoryTool, name: string): ManagedBy | undefined {
  return name === "" ? undefined : { tool, name };
}

/** `app:group/Kind:namespace/name`; objects without a namespace bear the one that the Application deploys to. */
function applicationTracking(object: KubeObject, id: string): string {
  const [, application = "", group, kind, namespace, name] = /^([^:]*):([^/:]*)\/([^:]*):([^/]*)\/(.+)$/.exec(id) ?? [];
  const there = object.metadata.namespace ?? "";
  const isItself =
    group === groupOf(object.apiVersion) && kind === object.kind && name === object.metadata.name && (there === "" || there === namespace);
  return isItself ? application : "";
}

/** The well-known label means "instance of something", which many tools write; it needs a mark of Argo CD beside it. */
function applicationByLabel(labels: Fields, annotations: Fields): string {
  const own = textAt(labels, "argocd.argoproj.io/instance");
  if (own !== "") return own;
  const isArgo = Object.keys(annotations).some((key) => key.startsWith("argocd.argoproj.io/"));
  return isArgo ? textAt(labels, "app.kubernetes.io/instance") : "";
}

function helmRelease(labels: Fields, annotations: Fields): string {
  if (textAt(labels, "app.kubernetes.io/managed-by") !== "Helm") return "";
  const name = textAt(annotations, "meta.helm.sh/release-name");
  const namespace = textAt(annotations, "meta.helm.sh/release-namespace");
  return name === "" || namespace === "" ? "" : `${namespace}/${name}`;
}

function pair(labels: Fields, prefix: string): string {
  const name = textAt(labels, `${prefix}name`);
  const namespace = textAt(labels, `${prefix}namespace`);
  return name === "" || namespace === "" ? "" : `${namespace}/${name}`;
}

function isControlled(object: KubeObject): boolean {
  return listAt(object.metadata, "ownerReferences").some((owner) => isFields(owner) && owner["controller"] === true);
}

/** Endpoints have no owner, and bear all labels of their Service; those written by hand lack the controller's marks. */
function isMirrored(object: KubeObject, { labels, annotations }: { readonly labels: Fields; readonly annotations: Fields }): boolean {
  if (object.kind === "EndpointSlice") return textAt(labels, "endpointslice.kubernetes.io/managed-by").endsWith("controller.k8s.io");
  if (object.kind !== "Endpoints") return false;
  return (
    textAt(annotations, "endpoints.kubernetes.io/last-change-trigger-time") !== "" ||
    textAt(labels, "endpoints.kubernetes.io/managed-by") !== ""
  );
}
