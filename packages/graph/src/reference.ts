import { encodeKey, type ObjectKey } from "@binnacle/kube";

import { EDGE_CATALOGUE, type EdgeKind } from "./edge-catalogue.ts";
import type { EdgeClass } from "./graph-model.ts";
import type { LabelSelector } from "./label-selector.ts";

/** What a reference names: an object, shown as a ghost while it is not there. */
interface GhostName extends ObjectKey {
  /** Empty when the reference does not say it. */
  readonly version: string;
}

/**
 * Where a reference points. `name`: to whoever provides the first of the tokens that anybody provides; without a ghost nothing
 * is drawn until somebody does. `selector`: to every Pod of the namespace that matches.
 */
export type ReferenceTarget =
  | { readonly by: "name"; readonly tokens: readonly string[]; readonly ghost?: GhostName }
  | { readonly by: "selector"; readonly namespace: string; readonly selector: LabelSelector };

/** One field of an object that refers to others. */
export interface Reference {
  readonly kind: EdgeKind;
  readonly class: EdgeClass;
  readonly fieldPath: string;
  readonly optional: boolean;
  /** An owner that controls the object. */
  readonly controller: boolean;
  readonly target: ReferenceTarget;
}

/** Token of an object by its uid: the uid itself, as all other tokens have a colon and real uids have none. */
export function uidToken(uid: string): string {
  return uid.includes(":") ? `uid:${uid}` : uid;
}

/** Token of an object by its name. */
export function keyToken(key: ObjectKey): string {
  return `key:${encodeKey(key)}`;
}

/** Token of an object that carries no uid, so that a reference by uid can still find it. */
export function bareToken(key: ObjectKey): string {
  return `bare:${encodeKey(key)}`;
}

/** Token of the claims that a StatefulSet makes: `<template>-<name>`. */
export function claimToken(namespace: string, base: string): string {
  return `claim:${namespace}/${base}`;
}

/** Token of the definition of a custom kind. */
export function definitionToken(group: string, kind: string): string {
  return `crd:${group}/${kind}`;
}

/** How a reference by name is read. */
export interface NameOptions {
  /** The field says that the target need not exist: never a ghost. */
  readonly optional?: boolean;
  /** Nothing is drawn while the target is not there. */
  readonly soft?: boolean;
}

/** A reference to an object by group, kind, namespace and name. */
export function referenceByName(kind: EdgeKind, path: string, options: NameOptions & { readonly key: ObjectKey }): Reference {
  const { key, optional = false, soft = false } = options;
  const tokens = [keyToken(key)];
  const { group, kind: kindName, namespace, name } = key;
  const target: ReferenceTarget =
    optional || soft ? { by: "name", tokens } : { by: "name", tokens, ghost: { group, version: "", kind: kindName, namespace, name } };
  return { kind, class: EDGE_CATALOGUE[kind].class, fieldPath: path, optional, controller: false, target };
}

/** A reference to every matching Pod of a namespace. */
export function referenceBySelector(
  kind: EdgeKind,
  path: string,
  target: { readonly namespace: string; readonly selector: LabelSelector },
): Reference {
  return referenceTo(kind, path, { target: { by: "selector", ...target } });
}

/** A reference with any target. */
export function referenceTo(
  kind: EdgeKind,
  fieldPath: string,
  rest: { readonly target: ReferenceTarget; readonly optional?: boolean },
): Reference {
  return { kind, class: EDGE_CATALOGUE[kind].class, fieldPath, optional: rest.optional ?? false, controller: false, target: rest.target };
}

/** Equal texts = equal references; tells which references of an object an update has left alone. */
export function signatureOf(reference: Reference): string {
  const { kind, class: edgeClass, fieldPath, optional, controller, target } = reference;
  const head = `${kind}|${edgeClass}|${fieldPath}|${optional}|${controller}|`;
  if (target.by === "selector") return `${head}${target.namespace}|${JSON.stringify(target.selector)}`;
  return `${head}${target.tokens.join(" ")}|${target.ghost === undefined ? "" : `${encodeKey(target.ghost)}|${target.ghost.version}`}`;
}
