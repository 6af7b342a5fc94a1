import { fieldsAt, groupOf, textAt, type KubeObject } from "@binnacle/kube";

import type { ManagedBy } from "../inventory/managed-by.ts";
import { managerOf } from "../inventory/manager-of.ts";
import { referenceByName, referenceByToken, roleToken, type Reference } from "../reference.ts";

const KUSTOMIZE = "kustomize.toolkit.fluxcd.io";
const HELM = "helm.toolkit.fluxcd.io";
const TRACKING = "argocd.argoproj.io/tracking-id";

/**
 * Any object → the Kustomization, HelmRelease or Application that it says it belongs to, while that is in the graph. What only
 * bears copies of such marks was generated, and belongs to its owner: see {@link managerOf}.
 */
export function managementReferences(object: KubeObject): Reference[] {
  if (object.metadata.labels === undefined && object.metadata.annotations === undefined) return [];
  const manager = managerOf(object);
  return manager === undefined ? [] : managedBy(object, manager);
}

function managedBy(object: KubeObject, { tool, name }: ManagedBy): Reference[] {
  // Flux and Helm say `namespace/name`; Argo CD and cli-utils do not, and need none of both.
  const [namespace = "", called = ""] = name.split("/");
  switch (tool) {
    case "flux-kustomization": {
      const key = { group: KUSTOMIZE, kind: "Kustomization", namespace, name: called };
      return [referenceByName("gitops", `metadata.labels[${KUSTOMIZE}/name]`, { key, soft: true })];
    }
    case "flux-helmrelease": {
      const key = { group: HELM, kind: "HelmRelease", namespace, name: called };
      return [referenceByName("helm", `metadata.labels[${HELM}/name]`, { key, soft: true })];
    }
    case "helm": {
      const token = roleToken("release", namespace, called);
      return [referenceByToken("helm", "metadata.annotations[meta.helm.sh/release-name]", { token })];
    }
    case "argocd": {
      const isTracked = textAt(object.metadata.annotations, TRACKING) !== "";
      const path = isTracked ? `metadata.annotations[${TRACKING}]` : "metadata.labels[app.kubernetes.io/instance]";
      return [referenceByToken("gitops", path, { token: roleToken("application", name) })];
    }
    default:
      // The ConfigMap of cli-utils is not what deploys; its inventory is data of `inventoriesOf`.
      return [];
  }
}

/** Tokens of what deploys others: the release of a HelmRelease, the name of an Application as objects give it. */
export function managementTokens(object: KubeObject): string[] {
  const { namespace = "", name } = object.metadata;
  const type = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (type === "argoproj.io/Application") {
    return [roleToken("application", name), roleToken("application", `${namespace}_${name}`)];
  }
  if (type !== `${HELM}/HelmRelease`) return [];
  const spec = fieldsAt(object, "spec");
  const target = textAt(spec, "targetNamespace");
  const release = textAt(spec, "releaseName") || (target === "" ? name : `${target}-${name}`);
  return [roleToken("release", target || namespace, release)];
}
