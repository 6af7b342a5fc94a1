import type { FieldOwnership } from "./field-ownership.ts";
import { apiVersionOf, type ResourceKind } from "./resource-kind.ts";

/** Any JSON value, as the Kubernetes API sends it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** An owner of an object; see Kubernetes reference, "Owners and Dependents". */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The part of `metadata` that rules and edges read. Times are RFC 3339 strings. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  /** Only in what views retain of objects of an inventory (`projectObject`); no API server sends it. */
  readonly ownership?: FieldOwnership;
}

/**
 * A Kubernetes object as received: only `apiVersion`, `kind` and `metadata` are promised.
 * Everything below `spec`, `status` and other fields is unknown input; readers must expect odd shapes.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** One page of a list. */
export interface ObjectList {
  readonly items: readonly KubeObject[];
  /** Where a watch may begin; the same on every page of one list. */
  readonly resourceVersion: string;
  /** Token of the next page; empty on the last one. */
  readonly continueToken: string;
  /** How many are left after this page, when the server counts. */
  readonly remaining: number | undefined;
}

/** Whether decoded JSON has what a KubeObject promises: apiVersion, kind and a name. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (typeof value !== "object" || value === null || !("apiVersion" in value) || !("kind" in value) || !("metadata" in value)) return false;
  if (typeof value.apiVersion !== "string" || typeof value.kind !== "string") return false;
  const metadata = value.metadata;
  return typeof metadata === "object" && metadata !== null && "name" in metadata && typeof metadata.name === "string";
}

/**
 * A decoded list answer. Items of a typed list carry no kind of their own, items of a metadata list carry
 * "PartialObjectMetadata": both become objects of `kind`. Items without a name are left out.
 *
 * @returns `undefined` when the value is not a list
 */
export function parseObjectList(value: unknown, kind: ResourceKind): ObjectList | undefined {
  if (typeof value !== "object" || value === null || !("metadata" in value)) return undefined;
  // A Go server sends `"items": null` for an empty list.
  const items: unknown = "items" in value ? (value.items ?? []) : undefined;
  const metadata = value.metadata;
  if (!Array.isArray(items) || typeof metadata !== "object" || metadata === null) return undefined;
  return {
    items: items.flatMap((item: unknown) => asObjectOf(kind, item) ?? []),
    resourceVersion: "resourceVersion" in metadata && typeof metadata.resourceVersion === "string" ? metadata.resourceVersion : "",
    continueToken: "continue" in metadata && typeof metadata.continue === "string" ? metadata.continue : "",
    remaining: "remainingItemCount" in metadata ? countOf(metadata.remainingItemCount) : undefined,
  };
}

/** A count that a server could mean; what else stands there is none. */
function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Decoded JSON as an object of the given kind, whatever apiVersion and kind it carries; `undefined` without a name. */
export function asObjectOf(kind: ResourceKind, value: unknown): KubeObject | undefined {
  if (typeof value !== "object" || value === null || !("metadata" in value)) return undefined;
  const metadata = value.metadata;
  if (typeof metadata !== "object" || metadata === null || !("name" in metadata) || typeof metadata.name !== "string") return undefined;
  return { ...value, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...metadata, name: metadata.name } };
}
