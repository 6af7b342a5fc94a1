import type { ActionTarget, KubeChange } from "@binnacle/environment-view";
import { fieldsAt, isFields, listAt, numberAt, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import type { MetadataEntry } from "../../features/actions/label-syntax.ts";
import type { HeldSync } from "../syncs/gitops-intent.ts";
import type { FieldEdit } from "./edit/object-edit.ts";
import type { DocumentProblem, ReadDocument } from "./edit/read-document.ts";
import type { PodReplacement } from "./pod-replacement.ts";
import type { KasKubeClient } from "../kas/kas-kube-client.ts";

/** What can be done to a resource. */
export type ActionName =
  | "restart"
  | "scale"
  | "set-image"
  | "roll-back"
  | "pause"
  | "resume"
  | "suspend"
  | "unsuspend"
  | "run-now"
  | "run-again"
  | "set-limits"
  | "evict"
  | "delete"
  | "tool"
  | "edit"
  | "edit-labels"
  | "stop"
  | SyncActionName;

/** Actions of an inventory of our GitOps. */
type SyncActionName = "sync" | "pause-syncs" | "resume-syncs" | "consent-prune";

/** What becomes of the objects that a deleted object owns. */
export type Propagation = "Background" | "Foreground" | "Orphan";

/** Parameters of an action; each belongs to one of them. */
export interface ActionParameters {
  readonly replicas?: number | undefined;
  readonly container?: string | undefined;
  readonly image?: string | undefined;
  readonly revision?: bigint | undefined;
  readonly minReplicas?: number | undefined;
  readonly maxReplicas?: number | undefined;
  readonly propagation?: Propagation | undefined;
  readonly toolAction?: string | undefined;
  readonly commit?: string | undefined;
  readonly reason?: string | undefined;
  /** YAML documents: as it was opened, and as it is now. */
  readonly base?: string | undefined;
  readonly edited?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** Labels and annotations that are set, and removed. */
  readonly entries?: readonly MetadataEntry[] | undefined;
}

/** A field that an action changes; `before` is `undefined` where the field is absent. */
export interface ActionField {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** One action on one object, before it is sent. */
export interface ActionPlan {
  /** A request for a field that has its new value already is done. */
  readonly field: ActionField;
  /** The request that performs it. It fails when the field has another value than `field.before` by then. */
  readonly target: ActionTarget;
  readonly change: KubeChange;
  /** What else happens. */
  readonly notes: readonly Words[];
  /** Of a change of the pod template: when pods are replaced. */
  readonly replacement?: PodReplacement;
  /** Of a rollback: the object as it will be. */
  readonly result?: KubeObject;
  /** The action that reverses this one; absent: there is none. */
  readonly undo?: { readonly name: ActionName; readonly parameters: ActionParameters };
  /** Of labels and annotations: those that change. */
  readonly labels?: readonly ActionField[];
  /** Of an edit: its fields, and where they are in the document. */
  readonly edit?: { readonly edits: readonly FieldEdit[]; readonly lineOf: ReadDocument["lineOf"] };
}

/** A plan, or why there is none; of an edit also where in its document. */
export type PlannedAction = ActionPlan | { readonly refused: Words; readonly problem?: DocumentProblem };

/** The right that an action needs. */
export interface ActionRight {
  readonly verb: "patch" | "create" | "delete";
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** The object that an action is planned for, as it was read now, and what else can be read as the viewer. */
export interface PlannedObject {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
  readonly client: Pick<KasKubeClient, "json" | "get">;
  /** Absent: the object is not the inventory of a sync. */
  readonly sync?: HeldSync | undefined;
  readonly signal: AbortSignal;
}

/** An action with its parameters. */
export interface PlannedRequest {
  readonly name: ActionName;
  readonly parameters: ActionParameters;
  /** When it was first requested: a restart writes this time, so that a repeated request changes nothing. Milliseconds since the epoch. */
  readonly requestedAtMs: number;
  /** An object that is created is named after it, so that a repeated request creates no second one; empty: not known yet. */
  readonly requestId: string;
  /** The value after the action that the preview has shown; empty: there was none yet. */
  readonly planned: string;
}

/** Plans one action. @throws KubeClientError when something else that it needs cannot be read */
export type Planner = (of: PlannedObject, request: PlannedRequest) => PlannedAction | Promise<PlannedAction>;

/** Whether a controller owns it, which creates another in its place. */
export function isControlled({ metadata }: KubeObject): boolean {
  return listAt(metadata, "ownerReferences").some((owner) => isFields(owner) && owner["controller"] === true);
}

/** How many pods of a Job run now. */
export function activePodsOf(object: KubeObject): number {
  return numberAt(fieldsAt(object, "status"), "active") ?? 0;
}

/** Whether a Job has ended. */
export function isFinished(object: KubeObject): boolean {
  return listAt(fieldsAt(object, "status"), "conditions").some(
    (condition) => ["Complete", "Failed"].includes(textAt(condition, "type")) && textAt(condition, "status") === "True",
  );
}
