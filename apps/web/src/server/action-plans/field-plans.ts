import type { ActionContent, ActionTarget, JsonPatchOperation, KubeChange } from "@binnacle/environment-view";
import { fieldsAt, numberAt, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { activePodsOf, isFinished, type ActionPlan, type PlannedAction, type PlannedObject, type PlannedRequest } from "./action-plan.ts";
import { podReplacementOf, replacementNote, resumeNotes } from "./pod-replacement.ts";
import { imagesOf, templatePathOf } from "./pod-template.ts";

/** The same annotation as `kubectl rollout restart` writes, so that both show in a rollout's history alike. */
const RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";
/** Kubernetes stores replicas as int32; more than this in one step is a typing error. */
const MAX_REPLICAS = 10_000;
/** References of images are at most 255 characters of name, 128 of tag and a digest. */
const MAX_IMAGE = 512;
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9._\-/:@]*$/;

/** Suspends a CronJob or Job, or ends that. */
export function planSuspend(of: PlannedObject, on: boolean): PlannedAction {
  if (of.kind.resource !== "jobs") return planSwitch(of, { field: "suspend", on });
  if (isFinished(of.object)) return { refused: words("action/job-finished") };
  // What has been suspended already stays a request that is done.
  if (on && specOf(of.object)["suspend"] !== true && activePodsOf(of.object) > 0) return { refused: words("action/job-has-pods") };
  return { ...planSwitch(of, { field: "suspend", on }), notes: on ? [] : [words("action/job-starts-pods")] };
}

/**
 * Stops a Job that runs: it is suspended, which ends its pods and keeps the Job with what it has completed (Kubernetes documentation, "Suspending a Job").
 */
export function planStop(of: PlannedObject): PlannedAction {
  if (isFinished(of.object)) return { refused: words("action/job-finished") };
  const active = activePodsOf(of.object);
  return {
    ...planSwitch(of, { field: "suspend", on: true }),
    notes: [...(active > 0 ? [words("action/job-ends-pods", { count: active })] : []), words("action/job-stays")],
  };
}

/** A field with two values needs no precondition: the other value is either there or written already. */
export function planSwitch(
  { kind, object }: PlannedObject,
  { field, on }: { readonly field: "paused" | "suspend"; readonly on: boolean },
): ActionPlan {
  return {
    field: { path: `spec.${field}`, before: String(specOf(object)[field] === true), after: String(on) },
    target: targetOf(kind, object),
    change: jsonPatch([{ op: "add", path: `/spec/${field}`, value: on }]),
    notes: field === "paused" && !on && specOf(object)["paused"] === true ? resumeNotes(object) : [],
  };
}

/** Replaces all pods, as `kubectl rollout restart`. */
export function planRestart({ kind, object }: PlannedObject, { requestedAtMs }: PlannedRequest): PlannedAction {
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
    change: jsonPatch(
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
    ...replacing(kind, object),
  };
}

/** What a plan says of pods whose template it changes. */
export function replacing(kind: ResourceKind, { spec }: KubeObject): Pick<ActionPlan, "notes" | "replacement"> {
  const replacement = podReplacementOf(kind, fieldsAt({ spec }, "spec"));
  return { notes: [replacementNote(replacement)], replacement };
}

/** Sets the number of replicas. */
export function planScale({ kind, object }: PlannedObject, { parameters: { replicas } }: PlannedRequest): PlannedAction {
  if (!isCount(replicas, 0)) return { refused: words("action/replicas-invalid", { most: MAX_REPLICAS }) };
  const before = replicasOf(object);
  return {
    field: { path: "spec.replicas", before: String(before), after: String(replicas) },
    target: { ...targetOf(kind, object), subresource: "scale" },
    change: jsonPatch(
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
    notes: [],
  };
}

/** Sets minimum and maximum of a HorizontalPodAutoscaler. */
export function planLimits({ kind, object }: PlannedObject, { parameters }: PlannedRequest): PlannedAction {
  const { minReplicas, maxReplicas } = parameters;
  if (!isCount(minReplicas, 1) || !isCount(maxReplicas, minReplicas))
    return { refused: words("action/limits-invalid", { most: MAX_REPLICAS }) };
  const present = limitsOf(object);
  const hasMinimum = numberAt(specOf(object), "minReplicas") !== undefined;
  return {
    field: { path: "spec.minReplicas to spec.maxReplicas", before: textOf(present), after: textOf({ minReplicas, maxReplicas }) },
    target: targetOf(kind, object),
    change: jsonPatch([
      ...(hasMinimum ? [{ op: "test", path: "/spec/minReplicas", value: present.minReplicas } as const] : []),
      { op: "test", path: "/spec/maxReplicas", value: present.maxReplicas },
      { op: "add", path: "/spec/minReplicas", value: minReplicas },
      { op: "replace", path: "/spec/maxReplicas", value: maxReplicas },
    ]),
    notes: [],
  };
}

function textOf({ minReplicas, maxReplicas }: { readonly minReplicas: number; readonly maxReplicas: number }): string {
  return `${minReplicas} to ${maxReplicas}`;
}

/** Sets the image of one container. */
export function planImage({ kind, object }: PlannedObject, { parameters }: PlannedRequest): PlannedAction {
  const { container = "", image = "" } = parameters;
  if (image.length > MAX_IMAGE || !IMAGE.test(image)) return { refused: words("action/image-invalid") };
  const found = imagesOf(kind, object).find(({ name }) => name === container);
  if (found === undefined) return { refused: words("action/no-container", { container }) };
  const path = `${templatePathOf(kind)}/spec/${found.list}/${found.index}`;
  return {
    field: { path: `${path.slice(1, path.lastIndexOf("/")).replaceAll("/", ".")}[${container}].image`, before: found.image, after: image },
    target: targetOf(kind, object),
    change: jsonPatch([
      { op: "test", path: `${path}/name`, value: container },
      { op: "test", path: `${path}/image`, value: found.image },
      { op: "replace", path: `${path}/image`, value: image },
    ]),
    ...(kind.resource === "cronjobs" ? { notes: [] } : replacing(kind, object)),
  };
}

/** The number of replicas that an object asks for; the API server defaults an absent one to 1 (apps/v1). */
export function replicasOf(object: KubeObject): number {
  return numberAt(specOf(object), "replicas") ?? 1;
}

/** Minimum and maximum of a HorizontalPodAutoscaler; the API server defaults an absent minimum to 1. */
export function limitsOf(object: KubeObject): { readonly minReplicas: number; readonly maxReplicas: number } {
  const spec = specOf(object);
  return { minReplicas: numberAt(spec, "minReplicas") ?? 1, maxReplicas: numberAt(spec, "maxReplicas") ?? 0 };
}

function isCount(value: number | undefined, least: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= (least ?? 0) && value <= MAX_REPLICAS;
}

/** The object itself, as it was read. */
export function targetOf(kind: ResourceKind, { metadata }: KubeObject): ActionTarget {
  const { name, namespace = "", uid = "" } = metadata;
  return { kind, namespace, name, uid };
}

/** A patch of RFC 6902. */
export function jsonPatch(operations: readonly JsonPatchOperation[]): KubeChange {
  return { verb: "patch", type: "json", operations };
}

function specOf(object: KubeObject): ActionContent {
  return fieldsAt(object, "spec");
}
