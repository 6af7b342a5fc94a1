import type { FieldOwnership } from "./field-ownership.ts";

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

/** Whether decoded JSON has what a KubeObject promises: apiVersion, kind and a name. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (typeof value !== "object" || value === null || !("apiVersion" in value) || !("kind" in value) || !("metadata" in value)) return false;
  if (typeof value.apiVersion !== "string" || typeof value.kind !== "string") return false;
  const metadata = value.metadata;
  return typeof metadata === "object" && metadata !== null && "name" in metadata && typeof metadata.name === "string";
}
