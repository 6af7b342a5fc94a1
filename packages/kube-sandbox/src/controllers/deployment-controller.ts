import { controllerReference, type ApiObject } from "../api-object.ts";
import { isSame, numberIn, textIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import { matcherOf } from "../label-selector.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { rolloutBounds, scaleReplicaSets } from "./deployment-rollout.ts";
import { deploymentStatus } from "./deployment-status.ts";
import { templateHash } from "./template-hash.ts";

const STORAGE = "apps/deployments";
const SETS = "apps/replicasets";
const COMPONENT = "deployment-controller";
const REVISION = "deployment.kubernetes.io/revision";
const HASH = "pod-template-hash";
/** Annotations of a Deployment its ReplicaSets do not get. */
const NOT_COPIED = new Set([
  REVISION,
  "kubectl.kubernetes.io/last-applied-configuration",
  "deployment.kubernetes.io/desired-replicas",
  "deployment.kubernetes.io/max-replicas",
]);

/** Rolls Deployments out: one ReplicaSet per pod template, old ones shrink as the new one becomes available. */
export function deploymentController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: { [STORAGE]: itself, [SETS]: itsController("Deployment") },
    reconcile: (key) => reconcile(cluster, key),
  };
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const deployment = cluster.get(STORAGE, namespace, name);
  if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return undefined;
  if (numberIn(deployment, "status", "observedGeneration") === undefined) {
    cluster.adopt(SETS, deployment, matcherOf(valueIn(deployment, "spec", "selector")));
  }
  const paused = valueIn(deployment, "spec", "paused") === true;
  const sets = cluster.controlled(SETS, deployment);
  const existing = sets.find((set) => isSame(templateOf(set), templateOf(deployment)));
  const old = sets.filter((set) => set !== existing);
  const revision = nextRevision(existing, old);
  const created = existing === undefined && !paused;
  const current = existing
    ? markCurrent(cluster, { deployment, set: existing, revision })
    : paused
      ? undefined
      : createSet(cluster, deployment, { old, revision });
  const scaled = scaleReplicaSets({ deployment, current, old, paused });
  for (const { set, replicas } of scaled) scale(cluster, { deployment, set, replicas });
  const newest = cluster.controlled(SETS, deployment);
  const status = deploymentStatus({
    deployment,
    sets: newest,
    current: newest.find((set) => set.metadata.uid === current?.metadata.uid),
    created,
    now: cluster.clock.now(),
  });
  const annotations = { ...deployment.metadata.annotations, ...(current ? { [REVISION]: revision } : {}) };
  const fresh = cluster.get(STORAGE, namespace, name) ?? deployment;
  cluster.updateStatus(STORAGE, { ...fresh, metadata: { ...fresh.metadata, annotations } }, status.status);
  if (status.complete) removeOldest(cluster, deployment, old);
  return status.againMs;
}

function templateOf(object: ApiObject): unknown {
  const template = treeIn(object, "spec", "template");
  const { [HASH]: _, ...labels } = treeIn(template, "metadata", "labels");
  return { ...template, metadata: { ...treeIn(template, "metadata"), labels } };
}

function revisionOf(set: ApiObject): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0);
}

function nextRevision(current: ApiObject | undefined, old: readonly ApiObject[]): string {
  const highest = Math.max(0, ...old.map(revisionOf));
  return String(current && revisionOf(current) > highest ? revisionOf(current) : highest + 1);
}

function annotationsFor(deployment: ApiObject, revision: string): Record<string, string> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  const replicas = numberIn(deployment, "spec", "replicas") ?? 1;
  return {
    ...Object.fromEntries(copied),
    [REVISION]: revision,
    "deployment.kubernetes.io/desired-replicas": String(replicas),
    "deployment.kubernetes.io/max-replicas": String(replicas + rolloutBounds(deployment).surge),
  };
}

/** The ReplicaSet of the present template gets the highest revision, also when an undo made an old one current again. */
function markCurrent(
  cluster: Cluster,
  { deployment, set, revision }: { readonly deployment: ApiObject; readonly set: ApiObject; readonly revision: string },
): ApiObject {
  const annotations = { ...set.metadata.annotations, ...annotationsFor(deployment, revision) };
  if (isSame(annotations, set.metadata.annotations)) return set;
  return cluster.update(SETS, { ...set, metadata: { ...set.metadata, annotations } });
}

function createSet(
  cluster: Cluster,
  deployment: ApiObject,
  { old, revision }: { readonly old: readonly ApiObject[]; readonly revision: string },
): ApiObject | undefined {
  const { name, namespace } = deployment.metadata;
  for (let collisions = 0; collisions < 10; collisions += 1) {
    const hash = templateHash(templateOf(deployment), collisions);
    const template = structuredClone(treeIn(deployment, "spec", "template"));
    const labels: Tree = { ...treeIn(template, "metadata", "labels"), [HASH]: hash };
    const initial = scaleReplicaSets({ deployment, current: undefined, old, paused: false, creating: true })[0]?.replicas ?? 0;
    const minReady = numberIn(deployment, "spec", "minReadySeconds");
    const set = cluster.create(SETS, {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: annotationsFor(deployment, revision),
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas: initial,
        ...(minReady === undefined ? {} : { minReadySeconds: minReady }),
        selector: {
          ...treeIn(deployment, "spec", "selector"),
          matchLabels: { ...treeIn(deployment, "spec", "selector", "matchLabels"), [HASH]: hash },
        },
        template: { ...template, metadata: { ...treeIn(template, "metadata"), labels } },
      },
    });
    if (!set) continue;
    if (initial > 0) announce(cluster, deployment, { name: set.metadata.name, from: 0, to: initial });
    return set;
  }
  return undefined;
}

function scale(
  cluster: Cluster,
  { deployment, set, replicas }: { readonly deployment: ApiObject; readonly set: ApiObject; readonly replicas: number },
): void {
  const now = cluster.get(SETS, set.metadata.namespace, set.metadata.name);
  const from = numberIn(now, "spec", "replicas") ?? 0;
  if (!now || from === replicas) return;
  cluster.update(SETS, { ...now, spec: { ...treeIn(now, "spec"), replicas } });
  announce(cluster, deployment, { name: set.metadata.name, from, to: replicas });
}

function announce(
  cluster: Cluster,
  deployment: ApiObject,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): void {
  const way = to > from ? "up" : "down";
  cluster.record(deployment, {
    reason: "ScalingReplicaSet",
    message: `Scaled ${way} replica set ${name} from ${from} to ${to}`,
    component: COMPONENT,
  });
}

function removeOldest(cluster: Cluster, deployment: ApiObject, old: readonly ApiObject[]): void {
  const limit = numberIn(deployment, "spec", "revisionHistoryLimit") ?? 10;
  const empty = old.filter(
    (set) =>
      numberIn(set, "spec", "replicas") === 0 &&
      numberIn(set, "status", "replicas") === 0 &&
      textIn(set, "metadata", "deletionTimestamp") === undefined,
  );
  const surplus = empty.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, empty.length - limit));
  for (const set of surplus) cluster.delete(SETS, set);
}
