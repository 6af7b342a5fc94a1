import { fieldsAt, groupOf, textAt, type KubeObject } from "@binnacle/kube";

import { referenceByName, referenceByToken, roleToken, type Reference } from "../reference.ts";
import { isControlled } from "./owner-references.ts";

const KUSTOMIZE = "kustomize.toolkit.fluxcd.io";
const HELM = "helm.toolkit.fluxcd.io";
const RELEASE = "meta.helm.sh/release";
const TRACKING = "argocd.argoproj.io/tracking-id";
const INSTANCE = "app.kubernetes.io/instance";

/**
 * Any object → the Kustomization, HelmRelease or Application that deployed it, while that is in the graph. Labels are copied to
 * what an object generates: one with a controller was not deployed by the tool.
 */
export function managementReferences(object: KubeObject): Reference[] {
  const { labels, annotations } = object.metadata;
  if ((labels === undefined && annotations === undefined) || isControlled(object)) return [];
  return [
    ...fluxReference(object, { edge: "gitops", group: KUSTOMIZE, kind: "Kustomization" }),
    ...fluxReference(object, { edge: "helm", group: HELM, kind: "HelmRelease" }),
    ...helmReference(object),
    ...applicationReference(object),
  ];
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

interface FluxTool {
  readonly edge: "gitops" | "helm";
  readonly group: string;
  readonly kind: string;
}

function fluxReference(object: KubeObject, { edge, group, kind }: FluxTool): Reference[] {
  const name = textAt(object.metadata.labels, `${group}/name`);
  const namespace = textAt(object.metadata.labels, `${group}/namespace`);
  if (name === "" || namespace === "") return [];
  return [referenceByName(edge, `metadata.labels[${group}/name]`, { key: { group, kind, namespace, name }, soft: true })];
}

function helmReference(object: KubeObject): Reference[] {
  const name = textAt(object.metadata.annotations, `${RELEASE}-name`);
  const namespace = textAt(object.metadata.annotations, `${RELEASE}-namespace`);
  if (name === "" || namespace === "") return [];
  return [referenceByToken("helm", `metadata.annotations[${RELEASE}-name]`, { token: roleToken("release", namespace, name) })];
}

/**
 * Argo CD: `<application>:<group>/<kind>:<namespace>/<name>`, which must name the object itself, as annotations get copied. The
 * older way is a label, which Helm charts also set: it counts only where no chart says who it is.
 */
function applicationReference(object: KubeObject): Reference[] {
  const id = textAt(object.metadata.annotations, TRACKING);
  if (id !== "") {
    const { namespace = "", name } = object.metadata;
    const match = /^([^:]+):([^/:]*)\/([^:]+):([^/]*)\/(.+)$/.exec(id);
    const [, application = "", group, kind, trackedNamespace, trackedName] = match ?? [];
    const isSelf = group === groupOf(object.apiVersion) && kind === object.kind && trackedName === name;
    // Argo CD also writes a namespace for objects of the cluster.
    if (!isSelf || (namespace !== "" && trackedNamespace !== namespace)) return [];
    return [referenceByToken("gitops", `metadata.annotations[${TRACKING}]`, { token: roleToken("application", application) })];
  }
  const instance = textAt(object.metadata.labels, INSTANCE);
  if (instance === "" || textAt(object.metadata.annotations, `${RELEASE}-name`) !== "") return [];
  return [referenceByToken("gitops", `metadata.labels[${INSTANCE}]`, { token: roleToken("application", instance) })];
}
