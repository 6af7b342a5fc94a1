import type { ActionContent, ActionTarget, JsonPatchOperation, KubeChange } from "@binnacle/environment-view";
import { fieldsAt, listAt, numberAt, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { imagesOf, templatePathOf } from "./pod-template.ts";

/** What can be done to a resource. */
export type ActionName = "restart" | "scale" | "pause" | "resume" | "set-image" | "suspend" | "unsuspend";

/** What an action is given: `replicas` for scale; `container` and `image` for set-image. */
export interface ActionParameters {
  readonly replicas?: number | undefined;
  readonly container?: string | undefined;
  readonly image?: string | undefined;
}

/** A field that an action changes; `before` is `undefined` where the field is absent. */
export interface ActionField {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** One action on one object, before it is sent. */
export interface ActionPlan {
  readonly field: ActionField;
  /** The request that performs it. It fails when the field has another value than `field.before` by then. */
  readonly target: ActionTarget;
  readonly change: KubeChange;
  /** Whether pods are replaced. */
  readonly replacesPods: boolean;
}

/** A plan, or why there is none. */
export type PlannedAction = ActionPlan | { readonly refused: Words };

/** The right that an action needs; every action patches. */
export interface ActionRight {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** The same annotation as `kubectl rollout restart` writes, so that both show in a rollout's history alike. */
const RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";
/** Kubernetes stores replicas as int32; more than this in one step is a typing error. */
const MAX_REPLICAS = 10_000;
/** References of images are at most 255 characters of name, 128 of tag and a digest. */
const MAX_IMAGE = 512;
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._\-/:@]*$/;

/** Actions of each kind, as `group/resource`. */
const OF_KIND: Readonly<Record<string, readonly ActionName[]>> = {
  "apps/deployments": ["restart", "scale", "set-image", "pause", "resume"],
  "apps/statefulsets": ["restart", "scale", "set-image"],
  "apps/daemonsets": ["restart", "set-image"],
  "batch/cronjobs": ["set-image", "suspend", "unsuspend"],
  "batch/jobs": ["suspend", "unsuspend"],
};

/** What can be done to an object as it is now, in the order of the menu. */
export function actionsOf(kind: Pick<ResourceKind, "group" | "resource">, object: KubeObject): readonly ActionName[] {
  const names = OF_KIND[`${kind.group}/${kind.resource}`] ?? [];
  const [isPaused, isSuspended] = [specOf(object)["paused"] === true, specOf(object)["suspend"] === true];
  const isOver = kind.resource === "jobs" && isFinished(object);
  const offered: Readonly<Record<ActionName, boolean>> = {
    restart: true,
    scale: true,
    "set-image": imagesOf(kind, object).length > 0,
    pause: !isPaused,
    resume: isPaused,
    suspend: !isSuspended && !isOver,
    unsuspend: isSuspended && !isOver,
  };
  return names.filter((name) => offered[name]);
}

/** The right that an action needs. */
export function rightOf({ group, resource }: Pick<ResourceKind, "group" | "resource">, name: ActionName): ActionRight {
  return { group, resource, subresource: name === "scale" ? "scale" : "" };
}

/** An action with its parameters. */
export interface PlannedRequest {
  readonly name: ActionName;
  readonly parameters: ActionParameters;
  /** When it was first requested: a restart writes this time, so that a repeated request changes nothing. Milliseconds since the epoch. */
  readonly requestedAtMs: number;
}

/**
 * How an action is performed on an object as it was read now.
 *
 * @returns `refused` when it cannot be performed on this object, or with these parameters
 */
export function planAction(kind: ResourceKind, object: KubeObject, request: PlannedRequest): PlannedAction {
  const { name } = request;
  if (!(OF_KIND[`${kind.group}/${kind.resource}`] ?? []).includes(name))
    return { refused: words("action/not-for-kind", { kind: kind.kind }) };
  return PLANNERS[name](kind, object, request);
}

type Planner = (kind: ResourceKind, object: KubeObject, request: PlannedRequest) => PlannedAction;

const PLANNERS: Readonly<Record<ActionName, Planner>> = {
  restart: planRestart,
  scale: planScale,
  "set-image": planImage,
  pause: (kind, object) => planSwitch(kind, object, { field: "paused", on: true }),
  resume: (kind, object) => planSwitch(kind, object, { field: "paused", on: false }),
  suspend: (kind, object) => planSuspend(kind, object, true),
  unsuspend: (kind, object) => planSuspend(kind, object, false),
};

function planSuspend(kind: ResourceKind, object: KubeObject, on: boolean): PlannedAction {
  if (kind.resource === "jobs" && isFinished(object)) return { refused: words("action/job-finished") };
  return planSwitch(kind, object, { field: "suspend", on });
}

function planRestart(kind: ResourceKind, object: KubeObject, { requestedAtMs }: PlannedRequest): PlannedAction {
  const after = new Date(requestedAtMs).toISOString();
  const metadata = fieldsAt(fieldsAt(specOf(object), "template"), "metadata");
  const annotations = fieldsAt(metadata, "annotations");
  const before = textAt(annotations, RESTARTED_AT);
  if (specOf(object)["paused"] === true && before !== after) return { refused: words("action/restart-paused") };
  const path = "/spec/template/metadata";
  const hasAnnotations = Object.keys(annotations).length > 0;
  return {
    field: { path: `spec.template.metadata.annotations[${RESTARTED_AT}]`, before: before === "" ? undefined : before, after },
    target: targetOf(kind, object),
    // An absent field cannot be tested, so what is around it is.
    change: json(
      hasAnnotations
        ? [
            { op: "test", path: `${path}/annotations`, value: annotations },
            { op: "add", path: `${path}/annotations/${RESTARTED_AT.replace("/", "~1")}`, value: after },
          ]
        : [
            { op: "test", path, value: metadata },
            { op: "add", path: `${path}/annotations`, value: { [RESTARTED_AT]: after } },
          ],
    ),
    replacesPods: true,
  };
}

function planScale(kind: ResourceKind, object: KubeObject, { parameters: { replicas } }: PlannedRequest): PlannedAction {
  if (replicas === undefined || !Number.isInteger(replicas) || replicas < 0 || replicas > MAX_REPLICAS)
    return { refused: words("action/replicas-invalid", { most: MAX_REPLICAS }) };
  const before = replicasOf(object);
  return {
    field: { path: "spec.replicas", before: String(before), after: String(replicas) },
    target: { ...targetOf(kind, object), subresource: "scale" },
    change: json(
      before === 0
        ? // A Scale leaves out a zero, so the whole spec is compared.
          [
            { op: "test", path: "/spec", value: {} },
            { op: "replace", path: "/spec", value: { replicas } },
          ]
        : [
            { op: "test", path: "/spec/replicas", value: before },
            { op: "replace", path: "/spec/replicas", value: replicas },
          ],
    ),
    replacesPods: false,
  };
}

const REVERSE = {
  restart: undefined,
  scale: "scale",
  "set-image": "set-image",
  pause: "resume",
  resume: "pause",
  suspend: "unsuspend",
  unsuspend: "suspend",
} as const satisfies Record<ActionName, ActionName | undefined>;

/** The action that writes the earlier value again. @param before the value that the field had @returns `undefined` where there is none */
export function undoOf(
  name: ActionName,
  { container }: ActionParameters,
  before: string | undefined,
): { readonly name: ActionName; readonly parameters: ActionParameters } | undefined {
  const reverse = REVERSE[name];
  if (reverse === undefined || before === undefined) return undefined;
  if (reverse === "scale") return { name: reverse, parameters: { replicas: Number(before) } };
  return { name: reverse, parameters: reverse === "set-image" ? { container, image: before } : {} };
}

/** The number of replicas that an object asks for; the API server defaults an absent one to 1 (apps/v1). */
export function replicasOf(object: KubeObject): number {
  return numberAt(specOf(object), "replicas") ?? 1;
}

function planImage(kind: ResourceKind, object: KubeObject, { parameters }: PlannedRequest): PlannedAction {
  const { container = "", image = "" } = parameters;
  if (image.length > MAX_IMAGE || !IMAGE.test(image)) return { refused: words("action/image-invalid") };
  const found = imagesOf(kind, object).find(({ name }) => name === container);
  if (found === undefined) return { refused: words("action/no-container", { container }) };
  const path = `${templatePathOf(kind)}/spec/${found.list}/${found.index}`;
  return {
    field: { path: `${path.slice(1, path.lastIndexOf("/")).replaceAll("/", ".")}[${container}].image`, before: found.image, after: image },
    target: targetOf(kind, object),
    change: json([
      { op: "test", path: `${path}/name`, value: container },
      { op: "test", path: `${path}/image`, value: found.image },
      { op: "replace", path: `${path}/image`, value: image },
    ]),
    replacesPods: kind.resource !== "cronjobs",
  };
}

/** A field with two values needs no precondition: the other value is either there or written already. */
function planSwitch(
  kind: ResourceKind,
  object: KubeObject,
  { field, on }: { readonly field: "paused" | "suspend"; readonly on: boolean },
): ActionPlan {
  return {
    field: { path: `spec.${field}`, before: String(specOf(object)[field] === true), after: String(on) },
    target: targetOf(kind, object),
    change: json([{ op: "add", path: `/spec/${field}`, value: on }]),
    // A Job that is suspended ends its pods, and starts new ones later (Kubernetes documentation, "Suspending a Job").
    replacesPods: kind.resource === "jobs",
  };
}

function targetOf(kind: ResourceKind, { metadata }: KubeObject): ActionTarget {
  const { name, namespace = "", uid = "" } = metadata;
  return { kind, namespace, name, uid };
}

function json(operations: readonly JsonPatchOperation[]): KubeChange {
  return { verb: "patch", type: "json", operations };
}

function specOf(object: KubeObject): ActionContent {
  return fieldsAt(object, "spec");
}

function isFinished(object: KubeObject): boolean {
  return listAt(fieldsAt(object, "status"), "conditions").some(
    (condition) => ["Complete", "Failed"].includes(textAt(condition, "type")) && textAt(condition, "status") === "True",
  );
}
