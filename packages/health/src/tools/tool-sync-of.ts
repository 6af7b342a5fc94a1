import { fieldsAt, fieldsOf, groupOf, textAt } from "@binnacle/kube";

import { applicationSync } from "./argo-sync.ts";
import { fluxSourceFacts, helmReleaseSync, kustomizationSync, type ToolObject } from "./flux-sync.ts";
import type { ToolSourceFacts, ToolSync } from "./tool-sync.ts";

/**
 * What an object of another GitOps tool says of its sync: a Kustomization or HelmRelease of Flux, an Application of Argo CD.
 *
 * @param object of any shape: callers read it from a cluster
 * @returns `undefined` for every other kind; never throws on odd shapes
 */
export function toolSyncOf(object: unknown): ToolSync | undefined {
  switch (kindOf(object)) {
    case "kustomize.toolkit.fluxcd.io/Kustomization":
      return kustomizationSync(partsOf(object));
    case "helm.toolkit.fluxcd.io/HelmRelease":
      return helmReleaseSync(partsOf(object));
    case "argoproj.io/Application":
      return applicationSync({ ...partsOf(object), operation: fieldsOf(object)["operation"] });
    default:
      return undefined;
  }
}

/** Of the object that a tool's source refers to. @returns `undefined` for other groups than Flux's sources */
export function toolSourceFactsOf(object: unknown): ToolSourceFacts | undefined {
  return kindOf(object).startsWith("source.toolkit.fluxcd.io/") ? fluxSourceFacts(partsOf(object)) : undefined;
}

function kindOf(object: unknown): string {
  return `${groupOf(textAt(object, "apiVersion"))}/${textAt(object, "kind")}`;
}

function partsOf(object: unknown): ToolObject {
  return { metadata: fieldsAt(object, "metadata"), spec: fieldsAt(object, "spec"), status: fieldsAt(object, "status") };
}
