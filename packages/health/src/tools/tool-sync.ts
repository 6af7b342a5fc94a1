import { type ObjectKey, fieldsAt, fieldsOf, groupOf, textAt } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import { applicationSync } from "./argo-sync.ts";
import { fluxSourceFacts, helmReleaseSync, kustomizationSync, type ToolObject } from "./flux-sync.ts";

/**
 * How the tool says that what it deploys stands.
 * - `synced`: everything is as its source says.
 * - `applying`: it is at work.
 * - `out-of-sync`: the cluster differs from the source, and no sync is running.
 * - `failed`: the last attempt failed, or nothing can be read.
 * - `paused`: a user has paused it.
 * - `unknown`: its status does not say, or speaks of an older spec.
 */
export type ToolState = "synced" | "applying" | "out-of-sync" | "failed" | "paused" | "unknown";

/** Where a tool takes from what it deploys. Texts are short, of one line, and hold no credential. */
export interface ToolSource {
  /** Empty where the tool's own object does not have it. */
  readonly url: string;
  /** Folder or chart; empty when there is none. */
  readonly path: string;
  /** Branch, tag or range of versions that is wanted; empty when it is not stated. */
  readonly target: string;
  /** The object that has the address; absent where the tool's own object has it. */
  readonly object?: ObjectKey;
  /** Further sources. */
  readonly more: number;
}

/** What an object of Flux or Argo CD says of its sync. Texts are short, of one line, and hold no credential; empty: not known. */
export interface ToolSync {
  readonly state: ToolState;
  /** Why its state is unknown; absent where the state is known. */
  readonly why?: Words;
  /** Word of the tool for it. */
  readonly reason: string;
  /** Sentence of the tool. */
  readonly message: string;
  /** What was applied last as a whole, as the tool writes it. */
  readonly revision: string;
  /** The git commit that this is: 40 or 64 hexadecimal digits. */
  readonly sha: string;
  /** When it was applied, as written. */
  readonly appliedAt: string;
  /** What is tried now, was tried last, or is compared with, when that is another one. */
  readonly attempted: string;
  /** When the state became so, or the last sync ended, as written. */
  readonly at: string;
  readonly source: ToolSource;
}

/** What is known of the place that a tool's object refers to. */
export interface ToolSourceFacts {
  readonly url: string;
  /** Sentence of the tool why nothing can be fetched from there; empty when all is well. */
  readonly problem: string;
}

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
