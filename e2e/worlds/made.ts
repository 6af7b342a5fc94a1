import type { KubeObject } from "@binnacle/kube";

import type { Ago } from "./fault-world.ts";

type Fields = Readonly<Record<string, unknown>>;
type Rest = Fields & { readonly metadata?: Fields };

/** Minutes ago that everything was created, unless it says otherwise. */
const CREATED = 60;

/** The label that keeps fake kubelets from writing a healthy status. */
export const BY_HAND = { "bench.kas/fault": "creating" };

/** An object of the namespace `app`; its uid is its kind and name. */
export function made(ago: Ago, [apiVersion, kind, name]: readonly [string, string, string], rest: Rest = {}): KubeObject {
  const metadata = { name, namespace: "app", uid: `${kind}-${name}`, creationTimestamp: ago(CREATED), ...rest.metadata };
  return { ...rest, apiVersion, kind, metadata };
}

/** The child with an owner that controls it. */
export function ownedBy(owner: KubeObject, child: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true };
  return { ...child, metadata: { ...child.metadata, ownerReferences: [reference] } };
}

/** A pod spec with one container called `app`. */
export function podSpec(container: Fields = {}, rest: Fields = {}): Fields {
  return { containers: [{ name: "app", image: "registry.example/shop/web:1.4.2", ...container }], restartPolicy: "Always", ...rest };
}

/** What a workload is made with. */
export interface WorkloadFacts {
  readonly spec?: Fields;
  /** Beside replicas, selector and template. */
  readonly more?: Fields;
  readonly ready?: number;
  readonly available?: number;
  readonly pods?: readonly Fields[];
  readonly conditions?: readonly Fields[];
  readonly setConditions?: readonly Fields[];
}

/** A Deployment of one replica with its ReplicaSet and its pods; each of `pods` is the status of one, with fields of `metadata` and `spec`. */
export function deployment(ago: Ago, name: string, facts: WorkloadFacts = {}): KubeObject[] {
  const { spec = podSpec(), more = {}, ready = 0, available = ready, pods = [], conditions = [], setConditions = [] } = facts;
  const labels = { app: name };
  const replicas = Math.max(1, pods.length);
  const workload = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels: { ...labels, ...BY_HAND } }, spec } };
  const status = { observedGeneration: 1, replicas: pods.length, readyReplicas: ready, availableReplicas: available };
  const top = made(ago, ["apps/v1", "Deployment", name], {
    metadata: { generation: 1 },
    spec: { ...workload, ...more },
    status: { ...status, updatedReplicas: pods.length, conditions },
  });
  const set = ownedBy(
    top,
    made(ago, ["apps/v1", "ReplicaSet", `${name}-7d9f`], {
      metadata: { generation: 1, labels, annotations: { "deployment.kubernetes.io/revision": "1" } },
      spec: workload,
      status: { ...status, conditions: setConditions },
    }),
  );
  return [top, set, ...pods.map((each, index) => ownedBy(set, podOf(ago, `${name}-7d9f-${index}`, { labels, spec, ...each })))];
}

/** A Deployment whose pods the API server refuses, in these words, for so many minutes. */
export function refusedDeployment(
  ago: Ago,
  name: string,
  refusal: { readonly message: string; readonly minutes: number; readonly spec?: Fields },
): KubeObject[] {
  const { message, minutes, spec = podSpec() } = refusal;
  const failed = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(minutes) };
  const objects = deployment(ago, name, { spec, conditions: [failed], setConditions: [failed] });
  return [...objects, warning(ago, ofKind(objects, "ReplicaSet"), ["FailedCreate", `Error creating: ${message}`, minutes, 1])];
}

/** A Deployment whose pod the scheduler puts on no node, in these words, for so many minutes. */
export function unscheduledDeployment(
  ago: Ago,
  name: string,
  refusal: { readonly message: string; readonly minutes: number; readonly spec: Fields },
): KubeObject[] {
  const { message, minutes, spec } = refusal;
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(minutes) };
  const objects = deployment(ago, name, { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  // The scheduler begins a new Event after five minutes: what it reports there is the same episode.
  return [...objects, warning(ago, ofKind(objects, "Pod"), ["FailedScheduling", message, minutes - 6, 1])];
}

/** A DaemonSet with a pod on each of its nodes; each of `pods` as for a Deployment, those that are ready by their condition. */
export function daemonSet(ago: Ago, name: string, { spec = podSpec(), pods = [] }: Pick<WorkloadFacts, "spec" | "pods">): KubeObject[] {
  const labels = { app: name };
  const up = pods.filter(({ phase, containerStatuses }) => phase === "Running" && containerStatuses !== undefined).length;
  const counts = { desiredNumberScheduled: pods.length, currentNumberScheduled: pods.length, updatedNumberScheduled: pods.length };
  const top = made(ago, ["apps/v1", "DaemonSet", name], {
    metadata: { generation: 1 },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels: { ...labels, ...BY_HAND } }, spec } },
    status: {
      observedGeneration: 1,
      ...counts,
      numberMisscheduled: 0,
      numberReady: up,
      numberAvailable: up,
      numberUnavailable: pods.length - up,
    },
  });
  return [top, ...pods.map((each, index) => ownedBy(top, podOf(ago, `${name}-${index}`, { labels, spec, ...each })))];
}

/** A pod by its status; `metadata` and `spec` of it are added to what it has. */
export function podOf(ago: Ago, name: string, facts: Fields): KubeObject {
  const { metadata, labels, spec, node = "node-1", ...status } = facts;
  return made(ago, ["v1", "Pod", name], {
    metadata: { labels: { ...asFields(labels), ...BY_HAND }, ...asFields(metadata) },
    spec: { ...(node === "" ? {} : { nodeName: node }), ...asFields(spec) },
    status,
  });
}

/** Conditions of a pod that is not ready since then. */
export function notReady(since: string): Fields[] {
  return [
    { type: "PodScheduled", status: "True", lastTransitionTime: since },
    {
      type: "Ready",
      status: "False",
      reason: "ContainersNotReady",
      message: "containers with unready status: [app]",
      lastTransitionTime: since,
    },
  ];
}

/** Status of a pod whose container `app` waits. */
export function waiting(since: string, [reason, message]: readonly [string, string], rest: Fields = {}): Fields {
  const container = { name: "app", ready: false, restartCount: 0, state: { waiting: { reason, message } }, ...rest };
  return { phase: "Pending", startTime: since, conditions: notReady(since), containerStatuses: [container] };
}

/** Status of a pod whose container `app` ends again and again; the last run began and ended as given. */
export function crashing(since: string, end: Fields, restarts = 7): Fields {
  const back = { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container=app" };
  return { ...waiting(since, [back.reason, back.message], { restartCount: restarts, lastState: { terminated: end } }), phase: "Running" };
}

/** Status of a pod that is ready since then. */
export function ready(since: string): Fields {
  return {
    phase: "Running",
    startTime: since,
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: since }],
    containerStatuses: [{ name: "app", ready: true, restartCount: 0, state: { running: { startedAt: since } } }],
  };
}

/** An Event about an object: its reason and its message, reported first and last so many minutes ago. */
export function warning(
  ago: Ago,
  about: KubeObject,
  [reason, message, first, last]: readonly [string, string, number, number],
): KubeObject {
  const { apiVersion, kind, metadata } = about;
  return {
    ...made(ago, ["v1", "Event", `${metadata.name}.${reason.toLowerCase()}`], { metadata: { creationTimestamp: ago(first) } }),
    involvedObject: { apiVersion, kind, namespace: "app", name: metadata.name, uid: metadata.uid },
    type: "Warning",
    reason,
    message,
    count: 12,
    firstTimestamp: ago(first),
    lastTimestamp: ago(last),
    source: { component: "made-by-hand" },
  };
}

/** The next time that a whole number of minutes of the day is over, as a schedule with a step of so many has them. */
export function nextStep(time: string, minutes: number): string {
  const step = minutes * 60_000;
  return new Date((Math.floor(Date.parse(time) / step) + 1) * step).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The object of a kind among what was made. @throws when there is none */
export function ofKind(objects: readonly KubeObject[], kind: string): KubeObject {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`nothing of kind ${kind} was made`);
  return found;
}

function asFields(value: unknown): Fields {
  // Tests give what they made themselves.
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
