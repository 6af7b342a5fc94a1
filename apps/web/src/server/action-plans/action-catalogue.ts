import { fieldsAt, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { actionsOfKind } from "../../features/actions/actions-of-kinds.ts";
import type { ActionLevel } from "../config/features.ts";
import type { HeldSync } from "../syncs/gitops-intent.ts";
import {
  activePodsOf,
  isControlled,
  isFinished,
  type ActionName,
  type ActionParameters,
  type ActionPlan,
  type ActionRight,
  type PlannedAction,
  type PlannedObject,
  type PlannedRequest,
  type Planner,
} from "./action-plan.ts";
import { planEdit } from "./edit/plan-edit.ts";
import { planImage, planLimits, planRestart, planScale, planStop, planSuspend, planSwitch } from "./field-plans.ts";
import { planLabels } from "./label-plan.ts";
import { planDeletion, planEviction, planNewJob } from "./object-plans.ts";
import { imagesOf } from "./pod-template.ts";
import { planRollback } from "./rollback.ts";
import { isPaused as isSyncPaused, planSync } from "./sync-plans.ts";
import { planTool, reverseOf, toolAction } from "./tools/tool-catalogue.ts";

/** An inventory has these alone: what was applied from Git would be lost track of without it. */
const OF_INVENTORY: readonly ActionName[] = ["sync", "pause-syncs", "resume-syncs", "consent-prune"];

const PLANNERS: Readonly<Record<ActionName, Planner>> = {
  restart: planRestart,
  scale: planScale,
  "set-image": planImage,
  "roll-back": planRollback,
  pause: (of) => planSwitch(of, { field: "paused", on: true }),
  resume: (of) => planSwitch(of, { field: "paused", on: false }),
  suspend: (of) => planSuspend(of, true),
  unsuspend: (of) => planSuspend(of, false),
  "run-now": planNewJob,
  "run-again": planNewJob,
  "set-limits": planLimits,
  evict: planEviction,
  delete: planDeletion,
  tool: planTool,
  stop: planStop,
  sync: planSync,
  "pause-syncs": planSync,
  "resume-syncs": planSync,
  "consent-prune": planSync,
  edit: planEdit,
  "edit-labels": planLabels,
};

type KindName = Pick<ResourceKind, "group" | "resource">;

/** What can be done to an object as it is now, in the order of the menu. */
export function actionsOf(
  { kind, object, sync }: Pick<PlannedObject, "object" | "sync"> & { readonly kind: KindName },
  level: ActionLevel,
): readonly ActionName[] {
  const spec = fieldsAt(object, "spec");
  const [isPaused, isSuspended] = [spec["paused"] === true, spec["suspend"] === true];
  const isOver = kind.resource === "jobs" && isFinished(object);
  const hasPods = kind.resource === "jobs" && activePodsOf(object) > 0;
  const areSyncsPaused = isSyncPaused(object);
  const isLeaving = textAt(object.metadata, "deletionTimestamp") !== "";
  const offered: Readonly<Record<ActionName, boolean>> = {
    restart: true,
    scale: true,
    "set-image": imagesOf(kind, object).length > 0,
    "roll-back": true,
    pause: !isPaused,
    resume: isPaused,
    suspend: !isSuspended && !isOver && !hasPods,
    unsuspend: isSuspended && !isOver,
    "run-now": true,
    "run-again": isOver,
    "set-limits": true,
    evict: !isLeaving,
    delete: !isLeaving,
    edit: !isLeaving,
    "edit-labels": !isLeaving,
    // Tools have a list of their own.
    tool: false,
    stop: !isSuspended && hasPods && !isOver,
    sync: !areSyncsPaused,
    "pause-syncs": !areSyncsPaused,
    "resume-syncs": areSyncsPaused,
    "consent-prune": sync !== undefined && sync.pruneHeld !== "",
  };
  return namesOf(kind, sync).filter((name) => offered[name] && isWithin(level, name, object));
}

function namesOf({ group, resource }: KindName, sync: HeldSync | undefined): readonly ActionName[] {
  if (sync !== undefined) return OF_INVENTORY;
  return [...(actionsOfKind({ group, resource }) ?? []), "edit-labels", "edit", "delete", "tool"];
}

/** Whether something is lost that no controller creates again: an object, or the work of a pod that ends; an edit can take away anything. */
export function isDestructive(name: ActionName, object: KubeObject): boolean {
  return name === "delete" || name === "edit" || name === "stop" || (name === "evict" && !isControlled(object));
}

/** Whether a level of `features.actions` has the action. An object of the cluster is shared with environments of other levels, so `safe` has none for it. */
export function isWithin(level: ActionLevel, name: ActionName, object: KubeObject): boolean {
  return level === "all" || (level === "safe" && !isDestructive(name, object) && textAt(object.metadata, "namespace") !== "");
}

/** The right that an action needs. */
export function rightOf({ group, resource }: Pick<ResourceKind, "group" | "resource">, name: ActionName, toolId?: string): ActionRight {
  if (name === "tool") return { verb: "patch", group, resource, subresource: toolAction(toolId)?.isStatus === true ? "status" : "" };
  if (name === "run-now" || name === "run-again") return { verb: "create", group: "batch", resource: "jobs", subresource: "" };
  if (name === "evict") return { verb: "create", group, resource, subresource: "eviction" };
  if (name === "delete") return { verb: "delete", group, resource, subresource: "" };
  return { verb: "patch", group, resource, subresource: name === "scale" ? "scale" : "" };
}

/**
 * How an action is performed on an object as it was read now.
 *
 * @returns `refused` when it cannot be performed on this object, or with these parameters
 * @throws KubeClientError when something else that it needs cannot be read
 */
export async function planAction(of: PlannedObject, request: PlannedRequest): Promise<PlannedAction> {
  if (!namesOf(of.kind, of.sync).includes(request.name)) return { refused: words("action/not-for-kind", { kind: of.kind.kind }) };
  return PLANNERS[request.name](of, request);
}

const REVERSE: Partial<Readonly<Record<ActionName, ActionName>>> = {
  scale: "scale",
  "set-image": "set-image",
  "set-limits": "set-limits",
  pause: "resume",
  resume: "pause",
  suspend: "unsuspend",
  unsuspend: "suspend",
  stop: "unsuspend",
  "pause-syncs": "resume-syncs",
  "resume-syncs": "pause-syncs",
};

/** The action that writes the earlier value again. @param before the value that the field had @returns `undefined` where the value does not name one */
export function undoOf(name: ActionName, { container, toolAction: id }: ActionParameters, before: string | undefined): ActionPlan["undo"] {
  if (name === "tool") return reverseOf(id);
  const reverse = REVERSE[name];
  if (reverse === undefined || before === undefined) return undefined;
  const [minReplicas, maxReplicas] = before.split(" to ").map(Number);
  const parameters: Partial<Record<ActionName, ActionParameters>> = {
    scale: { replicas: Number(before) },
    "set-image": { container, image: before },
    "set-limits": { minReplicas, maxReplicas },
  };
  return { name: reverse, parameters: parameters[reverse] ?? {} };
}
