import { createHash } from "node:crypto";

import { KubeClientError } from "@binnacle/environment-view";
import {
  fieldsAt,
  isFields,
  listPath,
  namespacedKind,
  numberAt,
  parseObjectList,
  textAt,
  type Fields,
  type KubeObject,
  type ResourceKind,
} from "@binnacle/kube";
import { words } from "@binnacle/words";

import { selectorTextOf } from "../base/selector-text.ts";
import type { PlannedAction, PlannedObject, PlannedRequest } from "./action-plan.ts";
import { ownedBy, REPLICA_SETS, uidsOf } from "./owned-objects.ts";
import { jsonPatch, replacing, targetOf } from "./field-plans.ts";

/** A workload keeps ten by default (`revisionHistoryLimit`). */
const MAX_REVISIONS = 100;
const MAX_LISTED = 500;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A Deployment's controller writes it to the Deployment and its ReplicaSets. */
const REVISION = "deployment.kubernetes.io/revision";
const CHANGE_CAUSE = "kubernetes.io/change-cause";
/** Labels that a controller adds to the template of a revision. */
const ADDED_LABELS: ReadonlySet<string> = new Set(["pod-template-hash", "controller-revision-hash", "pod-template-generation"]);

const CONTROLLER_REVISIONS = namespacedKind({ group: "apps", version: "v1", kind: "ControllerRevision", resource: "controllerrevisions" });

/** A revision of a workload with its pod template. */
export interface Revision {
  readonly revision: bigint;
  readonly template: Fields;
  /** RFC 3339; empty: not known. */
  readonly created: string;
  readonly changeCause: string;
  /** The workload has this template now; of several the newest. */
  readonly isPresent: boolean;
}

/** Revisions of a Deployment, StatefulSet or DaemonSet, newest first, at most 100, read as the viewer. @throws KubeClientError */
export async function revisionsOf({ kind, object, client, signal }: PlannedObject): Promise<readonly Revision[]> {
  const selector = selectorTextOf(object);
  if (selector === undefined) return [];
  const of = kind.resource === "deployments" ? REPLICA_SETS : CONTROLLER_REVISIONS;
  const { namespace = "" } = object.metadata;
  const path = listPath(of, { namespace, limit: MAX_LISTED, labelSelector: selector });
  const list = parseObjectList(await client.json({ path, mostBytes: MAX_ANSWER_BYTES }, signal), of);
  if (list === undefined) throw new KubeClientError("connection", words("answer/not-of-api"));
  const present = hashOf(templateOf(object));
  const found = ownedBy(list.items, uidsOf([object]))
    .flatMap((item) => revisionOf(item, kind, present))
    .toSorted((a, b) => (a.revision < b.revision ? 1 : -1));
  const newest = found.findIndex(({ isPresent }) => isPresent);
  return found.slice(0, MAX_REVISIONS).map((each, index) => ({ ...each, isPresent: index === newest }));
}

function revisionOf(item: KubeObject, kind: Pick<ResourceKind, "resource">, present: string): readonly Revision[] {
  const { annotations = {}, creationTimestamp: created = "" } = item.metadata;
  const isReplicaSet = kind.resource === "deployments";
  const number = isReplicaSet ? textAt(annotations, REVISION) : String(numberAt(item, "revision") ?? "");
  const template = isReplicaSet ? templateOf(item) : templateOf(fieldsAt(item, "data"));
  if (!/^\d{1,18}$/.test(number) || Object.keys(template).length === 0) return [];
  const changeCause = textAt(annotations, CHANGE_CAUSE).slice(0, 500);
  return [{ revision: BigInt(number), template, created, changeCause, isPresent: hashOf(template) === present }];
}

/** The pod template without what controllers add; `$patch` is what a ControllerRevision's data says of how to apply it. */
function templateOf(object: unknown): Fields {
  const { $patch: _, ...template } = fieldsAt(fieldsAt(object, "spec"), "template");
  const metadata = fieldsAt(template, "metadata");
  const labels = Object.fromEntries(Object.entries(fieldsAt(metadata, "labels")).filter(([key]) => !ADDED_LABELS.has(key)));
  if (Object.keys(template).length === 0) return template;
  return { ...template, metadata: { ...metadata, labels } };
}

/** Gives a workload the pod template of an earlier revision. The whole template that was read is the precondition. */
export async function planRollback(of: PlannedObject, { parameters: { revision }, planned }: PlannedRequest): Promise<PlannedAction> {
  const { kind, object } = of;
  const revisions = await revisionsOf(of);
  const chosen = revisions.find((each) => each.revision === revision);
  const present = revisions.find(({ isPresent }) => isPresent);
  const target = targetOf(kind, object);
  const spec = fieldsAt(object, "spec");
  const isUnchanged = { op: "test", path: "/spec/template", value: fieldsAt(spec, "template") } as const;
  const [path, before] = ["spec.template", hashOf(templateOf(object))];
  // Once it was performed, the controller has given the revision another number.
  if (before === planned) return { field: { path, before, after: before }, target, change: jsonPatch([isUnchanged]), notes: [] };
  if (chosen === undefined) return { refused: words("action/no-revision", { revision: String(revision ?? "") }) };
  // It would be rolled out only when the Deployment is resumed.
  if (spec["paused"] === true) return { refused: words("action/rollback-paused") };
  return {
    field: { path, before, after: hashOf(chosen.template) },
    target,
    change: jsonPatch([isUnchanged, { op: "replace", path: "/spec/template", value: chosen.template }]),
    ...replacing(kind, object),
    result: { ...object, spec: { ...spec, template: chosen.template } },
    ...(present && { undo: { name: "roll-back", parameters: { revision: present.revision } } }),
  };
}

/** Names the content of a template: 12 hexadecimal digits, whatever the order of its fields. */
function hashOf(template: Fields): string {
  return createHash("sha256").update(canonical(template)).digest("hex").slice(0, 12);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value)
    // A Go server writes an absent time as null in some versions.
    .filter((name) => value[name] !== undefined && value[name] !== null)
    .sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}
