/** How a namespace is, and what its row of the index should say. */
export type Condition = "well" | "image-pull" | "crash-loop";

/** An object to be written: where it is created, as what, and the status that its controller or kubelet would have reported. */
export interface WrittenObject {
  /** Path of the collection. */
  readonly collection: string;
  readonly object: { readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
  readonly status: unknown;
}

const IMAGE = "example.com/app:1";
/** One in so many namespaces is not well. */
const UNWELL_EVERY = 20;

/** Name of the namespace, and of its environment. */
export function namespaceName(index: number): string {
  return `env-${String(index + 1).padStart(4, "0")}`;
}

/** Most are well; a few have an image that cannot be pulled, a few a container that crashes. */
export function conditionOf(index: number): Condition {
  if (index % UNWELL_EVERY === 3) return "image-pull";
  return index % UNWELL_EVERY === 11 ? "crash-loop" : "well";
}

/** A Deployment of one pod with its ReplicaSet; each is made from the uid of the one before it. */
export function workloadOf(namespace: string, condition: Condition): readonly ((ownerUid: string) => WrittenObject)[] {
  return [() => deployment(namespace, condition), (uid) => replicaSet(namespace, condition, uid), (uid) => pod(namespace, condition, uid)];
}

const LABELS = { app: "web" };
const HASHED = { ...LABELS, "pod-template-hash": "5d4f8c7b9" };
const SPEC = { containers: [{ name: "app", image: IMAGE }] };
const since = new Date(Date.now() - 3_600_000).toISOString();

function deployment(namespace: string, condition: Condition): WrittenObject {
  const well = condition === "well";
  const template = { metadata: { labels: LABELS }, spec: SPEC };
  const conditions = [
    { type: "Available", status: well ? "True" : "False", reason: well ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable" },
    { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
  ].map((each) => ({ ...each, lastTransitionTime: since, lastUpdateTime: since }));
  return {
    collection: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: LABELS, annotations: { "deployment.kubernetes.io/revision": "1" } },
      spec: { replicas: 1, selector: { matchLabels: LABELS }, template },
    },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, ...counts(well), conditions },
  };
}

function replicaSet(namespace: string, condition: Condition, uid: string): WrittenObject {
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, controller: true, blockOwnerDeletion: true };
  return {
    collection: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
    object: {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "web-5d4f8c7b9", labels: HASHED, ownerReferences: [owner] },
      spec: { replicas: 1, selector: { matchLabels: HASHED }, template: { metadata: { labels: HASHED }, spec: SPEC } },
    },
    status: { observedGeneration: 1, replicas: 1, fullyLabeledReplicas: 1, ...counts(condition === "well") },
  };
}

function counts(well: boolean): object {
  return well ? { readyReplicas: 1, availableReplicas: 1 } : { readyReplicas: 0, availableReplicas: 0, unavailableReplicas: 1 };
}

function pod(namespace: string, condition: Condition, uid: string): WrittenObject {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5d4f8c7b9", uid, controller: true, blockOwnerDeletion: true };
  const ready = condition === "well";
  const conditions = ["Initialized", "PodScheduled", "ContainersReady", "Ready"].map((type) => ({
    type,
    status: ready || type === "Initialized" || type === "PodScheduled" ? "True" : "False",
    lastTransitionTime: since,
  }));
  return {
    collection: `/api/v1/namespaces/${namespace}/pods`,
    object: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-5d4f8c7b9-x2x7k", labels: HASHED, ownerReferences: [owner] },
      spec: { ...SPEC, nodeName: "bench-1" },
    },
    status: {
      phase: condition === "image-pull" ? "Pending" : "Running",
      startTime: since,
      conditions,
      containerStatuses: [{ name: "app", image: IMAGE, imageID: "", ready, ...CONTAINERS[condition] }],
    },
  };
}

const CONTAINERS: Readonly<Record<Condition, object>> = {
  well: { restartCount: 0, started: true, state: { running: { startedAt: since } } },
  "image-pull": {
    restartCount: 0,
    state: { waiting: { reason: "ImagePullBackOff", message: `Back-off pulling image "${IMAGE}"` } },
  },
  "crash-loop": {
    restartCount: 12,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container=app" } },
    lastState: { terminated: { exitCode: 1, reason: "Error", startedAt: since, finishedAt: since } },
  },
};
