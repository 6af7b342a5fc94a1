import type { ObjectKey } from "@binnacle/kube";

import { rowOf, type EdgeKind, type EdgeRow } from "./edge-catalogue.ts";
import type { LabelSelector } from "./label-selector.ts";
import { nameSignatureOf, uidToken, type NameTarget } from "./name-target.ts";
import type { GrantDemand } from "./reference-grants.ts";

/**
 * Who is selected: pods by their labels, workloads by the labels of their pod template, objects of a kind (`group/kind`) by
 * their labels in a namespace, or in any.
 */
export type Among = "pods" | "workloads" | `in:${string}` | `any:${string}`;

/** To every object of the namespace that matches. */
export interface SelectorTarget {
  readonly by: "selector";
  readonly among: Among;
  /** Empty for cluster scope, and for all namespaces. */
  readonly namespace: string;
  readonly selector: LabelSelector;
}

/** What only a few references say. */
export interface ReferenceDetails {
  /** An owner that controls the object. */
  readonly controller?: true;
  /** The line is drawn from the target to the holder, as if the target held the reference. */
  readonly inverse?: true;
  /** While a node provides this token, the reference leads nowhere. */
  readonly unless?: string;
  /** Refused unless a ReferenceGrant allows it. */
  readonly grant?: GrantDemand;
  /** Name or number of a port that the target must have. */
  readonly port?: string | number;
  /** Condition of an endpoint. */
  readonly ready?: boolean;
  /** Of a backend, in the unit of its kind. */
  readonly weight?: number;
  /** Part of the traffic of its rule, 0 to 1. */
  readonly share?: number;
}

/** One field of an object that refers to others. */
export interface Reference {
  readonly row: EdgeRow;
  readonly fieldPath: string;
  /** The field says that the target need not exist. */
  readonly optional: boolean;
  readonly target: NameTarget | SelectorTarget;
  readonly details: ReferenceDetails;
}

/** Nothing special. */
export const NO_DETAILS: ReferenceDetails = Object.freeze({});

/** Token of anything else that may be referred to: what it is, and parts that together name one. Parts have no space. */
export function roleToken(role: TokenRole, ...parts: string[]): string {
  return `${role}:${parts.join(" ")}`;
}

/**
 * Roles besides "the object of this name": claims made by a StatefulSet, definition of a custom kind, slices of a Service,
 * default of a class, release of a HelmRelease, Application of Argo CD, workload that "connects-to" names.
 */
export type TokenRole = "claim" | "definition" | "slices" | "default" | "release" | "application" | "connectable";

/** How a reference by name is read. */
export interface NameOptions {
  readonly key: ObjectKey;
  /** The field says that the target need not exist: never a ghost. */
  readonly optional?: boolean;
  /** Nothing is drawn while the target is not there. */
  readonly soft?: boolean;
  readonly details?: ReferenceDetails;
}

/** A reference to an object by group, kind, namespace and name. */
export function referenceByName(kind: EdgeKind, path: string, options: NameOptions): Reference {
  const { key, optional = false, soft = false, details = NO_DETAILS } = options;
  const { group, kind: targetKind, namespace, name } = key;
  const hasGhost = !optional && !soft;
  const target: NameTarget = { by: "key", group, kind: targetKind, namespace, name, hasGhost, version: "" };
  return { row: rowOf(kind), fieldPath: path, optional, target, details };
}

/** A reference to the nodes that provide a token; without one nothing is drawn. */
export function referenceByToken(kind: EdgeKind, path: string, options: { token: string; details?: ReferenceDetails }): Reference {
  const target: NameTarget = { by: "role", token: options.token };
  return { row: rowOf(kind), fieldPath: path, optional: false, target, details: options.details ?? NO_DETAILS };
}

/**
 * A reference to an object that is meant by its uid, where the reference has one: another object of the same name is not the
 * one. Nothing is drawn while it is not there.
 */
export function referenceByUid(
  kind: EdgeKind,
  path: string,
  { uid, key, details = NO_DETAILS }: { uid: string; key: ObjectKey; details?: ReferenceDetails },
): Reference {
  if (uid === "") return referenceByName(kind, path, { key, soft: true, details });
  const target: NameTarget = { by: "uid", token: uidToken(uid), key, hasGhost: false, version: "" };
  return { row: rowOf(kind), fieldPath: path, optional: false, target, details };
}

/** A reference to everything that matches. */
export function referenceBySelector(kind: EdgeKind, path: string, selected: Omit<SelectorTarget, "by">): Reference {
  const target: SelectorTarget = { by: "selector", ...selected };
  return { row: rowOf(kind), fieldPath: path, optional: false, target, details: NO_DETAILS };
}

/** Equal texts = equal references; shows which references of an object an update did not change. */
export function signatureOf({ row, fieldPath, optional, target, details }: Reference): string {
  const special = details === NO_DETAILS ? "" : JSON.stringify(details);
  const head = `${row.kind}|${row.class}|${fieldPath}|${optional}|${special}|`;
  if (target.by === "selector") return `${head}${target.among}|${target.namespace}|${JSON.stringify(target.selector)}`;
  return `${head}${nameSignatureOf(target)}`;
}
