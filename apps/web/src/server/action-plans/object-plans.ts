import { createHash } from "node:crypto";

import { KubeClientError, type ActionContent } from "@binnacle/environment-view";
import { fieldsAt, listAt, textAt, textOf, type KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { isControlled, isFinished, type ActionField, type PlannedAction, type PlannedObject, type PlannedRequest } from "./action-plan.ts";
import { targetOf } from "./field-plans.ts";
import { JOBS } from "./owned-objects.ts";

/** A Job gives its name to its pods as a label, which has at most 63 characters. */
const MAX_JOB_NAME = 63;
/** Labels that the API server sets on a Job's template, and refuses of another Job. */
const OWN_LABELS: ReadonlySet<string> = new Set([
  "controller-uid",
  "job-name",
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
]);
/** Names the CronJob's or Job's uid in a Job that was created from it; a name alone could be another's. */
const CREATED_FROM = "actions.binnacle/created-from";
const DELETION = "metadata.deletionTimestamp";

/** Creates a Job from a CronJob or from a Job that has finished. */
export async function planNewJob(of: PlannedObject, { requestId }: PlannedRequest): Promise<PlannedAction> {
  const { kind, object } = of;
  const isFromCronJob = kind.resource === "cronjobs";
  if (!isFromCronJob && !isFinished(object)) return { refused: words("action/job-running") };
  const name = jobNameOf(object.metadata.name, requestId);
  const field: ActionField = { path: "job", before: await jobOf(of, name), after: name };
  const content = isFromCronJob ? fromCronJob(object, name) : fromJob(object, name);
  return {
    field,
    target: { kind: JOBS, namespace: object.metadata.namespace ?? "", name: "" },
    change: { verb: "create", content },
    notes: [],
  };
}

function jobNameOf(base: string, requestId: string): string {
  const suffix = createHash("sha256").update(requestId).digest("hex").slice(0, 8);
  let start = base.slice(0, MAX_JOB_NAME - suffix.length - 1);
  // A name that was cut may end with a sign.
  while (start.endsWith("-") || start.endsWith(".")) start = start.slice(0, -1);
  return `${start}-${suffix}`;
}

/** The name, when the Job that this request creates exists already. */
async function jobOf({ client, object, signal }: PlannedObject, name: string): Promise<string | undefined> {
  try {
    const job = await client.get({ kind: JOBS, namespace: object.metadata.namespace ?? "", name }, signal);
    return textAt(job.metadata.annotations, CREATED_FROM) === object.metadata.uid ? name : undefined;
  } catch (error) {
    // Whether it exists is the API server's to say when it is created.
    if (error instanceof KubeClientError) return undefined;
    throw error;
  }
}

/** As `kubectl create job --from`: without `blockOwnerDeletion`, which would need a right to the CronJob's finalizers. */
function fromCronJob({ metadata, ...object }: KubeObject, name: string): ActionContent {
  const template = fieldsAt(fieldsAt(object, "spec"), "jobTemplate");
  const { labels, annotations } = fieldsAt(template, "metadata");
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      labels,
      annotations: {
        ...fieldsAt({ annotations }, "annotations"),
        "cronjob.kubernetes.io/instantiate": "manual",
        [CREATED_FROM]: metadata.uid,
      },
      ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: metadata.name, uid: metadata.uid, controller: true }],
    },
    spec: fieldsAt(template, "spec"),
  };
}

function fromJob({ metadata, ...object }: KubeObject, name: string): ActionContent {
  const { selector: _, manualSelector: __, suspend: ___, template, ...spec } = fieldsAt(object, "spec");
  const about = fieldsAt({ template }, "template");
  const own = fieldsAt(about, "metadata");
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, labels: withoutOwn(metadata.labels), annotations: { [CREATED_FROM]: metadata.uid } },
    spec: { ...spec, template: { ...about, metadata: { ...own, labels: withoutOwn(fieldsAt(own, "labels")) } } },
  };
}

function withoutOwn(labels: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !OWN_LABELS.has(key)));
}

/** Evicts a pod. The API server refuses what a PodDisruptionBudget forbids. */
export function planEviction({ kind, object }: PlannedObject): PlannedAction {
  const { name, namespace, uid } = object.metadata;
  const content = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    deleteOptions: { preconditions: { uid } },
  };
  return {
    field: deletionOf(object),
    target: { kind, namespace: namespace ?? "", name, subresource: "eviction" },
    change: { verb: "create", content },
    notes: [isControlled(object) ? words("action/pod-replaced") : words("action/pod-lost")],
  };
}

/** Deletes an object. */
export function planDeletion({ kind, object }: PlannedObject, { parameters }: PlannedRequest): PlannedAction {
  const { propagation = "Background" } = parameters;
  const finalizers = listAt(object.metadata, "finalizers").map(textOf);
  return {
    field: deletionOf(object),
    target: targetOf(kind, object),
    change: { verb: "delete", propagation },
    notes: [
      ...(kind.group === "" && kind.resource === "namespaces" ? [words("action/namespace-contents")] : []),
      propagation === "Orphan" ? words("action/owned-stay") : words("action/owned-deleted"),
      ...(finalizers.length === 0 ? [] : [words("action/finalizers", { finalizers: finalizers.join(", ") })]),
      ...(isControlled(object) ? [words("action/created-again")] : []),
    ],
  };
}

/** An object that is being deleted already has what was requested. */
function deletionOf({ metadata }: KubeObject): ActionField {
  const since = textAt(metadata, "deletionTimestamp");
  return since === "" ? { path: DELETION, before: undefined, after: "set" } : { path: DELETION, before: since, after: since };
}
