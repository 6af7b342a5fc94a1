import type { Schema } from "./schema.ts";

/** A subresource as discovery shows it. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A column of `additionalPrinterColumns` of a CRD. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Where a custom resource keeps what `/scale` shows; dotted paths. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One resource of one API version that this server serves. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceDefinition[];
  /** Key of the table in the store: `group/plural`, the same for all versions of a resource. */
  readonly storage: string;
  /** Version objects are stored in. */
  readonly storageVersion: string;
  /** Shape of the object; absent = anything goes below `spec` and `status`. */
  readonly schema?: Schema;
  /** Made by a CRD. */
  readonly custom: boolean;
  readonly printerColumns?: readonly PrinterColumn[];
  readonly scale?: ScalePaths;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? of.version : `${of.group}/${of.version}`;
}

/** True when the resource has the subresource. */
export function hasSubresource(of: ResourceDefinition, name: string): boolean {
  return of.subresources.some((sub) => sub.name === name);
}
