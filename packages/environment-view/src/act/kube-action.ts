import { collectionPath, InvalidPathError, objectPath, type KindPath } from "@binnacle/kube";

import { pathOf } from "../http/path-of.ts";
import type { KubeRequest } from "../http/kube-transport.ts";

/** What something is done to. */
export interface ActionTarget {
  readonly kind: KindPath;
  /** Empty for kinds of the cluster. */
  readonly namespace: string;
  /** Empty when an object is created: its content names it. */
  readonly name: string;
  /** "scale", "eviction"; absent: the object itself. */
  readonly subresource?: string;
  /** It must still be this object, or the API server refuses (409; 422 for some patches). */
  readonly uid?: string;
  /** It must not have changed since this version, or the API server refuses (409; 422 for JSON patches). */
  readonly resourceVersion?: string;
}

/** An object or a part of one, as JSON has it. */
export type ActionContent = Readonly<Record<string, unknown>>;

/** An operation of RFC 6902. */
export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** What is done. */
export type KubeChange =
  | { readonly verb: "create" | "update"; readonly content: ActionContent }
  | { readonly verb: "patch"; readonly type: "merge" | "strategic"; readonly content: ActionContent }
  | { readonly verb: "patch"; readonly type: "json"; readonly operations: readonly JsonPatchOperation[] }
  /** Server-side apply; `force` takes fields from other managers. */
  | { readonly verb: "apply"; readonly content: ActionContent; readonly force?: boolean }
  | {
      readonly verb: "delete";
      readonly propagation?: "Background" | "Foreground" | "Orphan";
      readonly gracePeriodSeconds?: number;
    };

/** One change of one object. */
export interface KubeAction {
  readonly target: ActionTarget;
  readonly change: KubeChange;
  /** The API server does everything but keep it. */
  readonly dryRun?: boolean;
}

/** A request whose body is known as a whole. */
export type ActionRequest = KubeRequest & { readonly body: string };

/** The manager of the fields that we set (Kubernetes reference, "Server-Side Apply"). */
export const FIELD_MANAGER = "binnacle";
const PATCH_TYPES = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
} as const;

/**
 * The one request that does it: `fieldManager` is ours, unknown and double fields are refused (`fieldValidation=Strict`), and
 * preconditions stand where the API server looks for them.
 *
 * @throws KubeClientError `api` with 400, not started, for names that are none and for what has no such precondition
 */
export function requestOfAction(action: KubeAction): ActionRequest {
  const path = pathOf(() => pathOfTarget(action));
  const { target, change } = action;
  const shared = { accept: "application/json", path: `${path}${queryOf(action)}` };
  if (change.verb === "create") return { ...shared, method: "POST", body: textOf(change.content) };
  if (change.verb === "update") return { ...shared, method: "PUT", body: textOf(withPreconditions(target, change.content)) };
  if (change.verb === "delete") return { ...shared, method: "DELETE", body: textOf(deleteOptions(action, change)) };
  if (change.verb === "patch")
    return { ...shared, method: "PATCH", contentType: PATCH_TYPES[change.type], body: patchText(target, change) };
  // JSON is YAML.
  const contentType = "application/apply-patch+yaml";
  return { ...shared, method: "PATCH", contentType, body: textOf(withPreconditions(target, change.content)) };
}

function pathOfTarget({ target, change }: KubeAction): string {
  const { kind, namespace, name, subresource } = target;
  // Without one the path would be that of all namespaces.
  if (kind.namespaced && namespace === "") throw new InvalidPathError("the namespace is missing");
  if (change.verb !== "create") return objectPath(kind, { namespace, name }, subresource);
  if (target.uid !== undefined || target.resourceVersion !== undefined)
    throw new InvalidPathError("what is created has no precondition but in its content");
  return name === "" && subresource === undefined ? collectionPath(kind, namespace) : objectPath(kind, { namespace, name }, subresource);
}

function queryOf({ change, dryRun = false }: KubeAction): string {
  // A DELETE says it in its body: with one, its query is not read.
  if (change.verb === "delete") return "";
  const query = new URLSearchParams({ fieldManager: FIELD_MANAGER, fieldValidation: "Strict" });
  if (dryRun) query.set("dryRun", "All");
  if (change.verb === "apply" && change.force === true) query.set("force", "true");
  return `?${query.toString()}`;
}

function withPreconditions(target: ActionTarget, content: ActionContent): ActionContent {
  const preconditions = preconditionsOf(target);
  if (Object.keys(preconditions).length === 0) return content;
  const { metadata } = content;
  return { ...content, metadata: { ...(typeof metadata === "object" ? metadata : undefined), ...preconditions } };
}

function patchText(target: ActionTarget, change: Extract<KubeChange, { readonly verb: "patch" }>): string {
  if (change.type !== "json") return textOf(withPreconditions(target, change.content));
  const tests = Object.entries(preconditionsOf(target)).map(([name, value]) => ({ op: "test", path: `/metadata/${name}`, value }));
  return textOf([...tests, ...change.operations]);
}

function deleteOptions({ target, dryRun = false }: KubeAction, change: Extract<KubeChange, { readonly verb: "delete" }>): ActionContent {
  const { propagation, gracePeriodSeconds } = change;
  const preconditions = preconditionsOf(target);
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}

function preconditionsOf({ uid, resourceVersion }: ActionTarget): Record<string, string> {
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

function textOf(content: unknown): string {
  return JSON.stringify(content);
}
