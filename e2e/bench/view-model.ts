import type { KubeObject } from "@binnacle/kube";

const NAMESPACES = 10;
const APPS_PER_NAMESPACE = 50;
const PODS_PER_APP = 13;
const CREATED = "2026-01-01T00:00:00Z";

/** What all objects of one app share. */
interface App {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** 10,000 objects: 500 apps of a Deployment, two ReplicaSets, 13 Pods, a Service, its EndpointSlice and two ConfigMaps. */
export function modelObjects(): KubeObject[] {
  const objects: KubeObject[] = [];
  for (let n = 0; n < NAMESPACES; n += 1) {
    for (let a = 0; a < APPS_PER_NAMESPACE; a += 1) objects.push(...appObjects(`team-${n}`, `app-${n}-${a}`));
  }
  return objects;
}

/** A namespace with one app. */
export function namespaceObjects(namespace: string): KubeObject[] {
  return appObjects(namespace, "app");
}

/** One well custom resource, by the conditions that the generic rule reads. */
export function customObject(): KubeObject {
  const status = { observedGeneration: 3, conditions: [condition("Ready"), condition("Synced"), condition("Reconciled")] };
  return { ...meta("example.com/v1", "Database", { namespace: "team-0", name: "orders", labels: {} }), spec: { size: 3 }, status };
}

/** The same pod as its kubelet would report it a moment later. */
export function podUpdate(pod: KubeObject, round: number): KubeObject {
  const status = { ...podStatus(), message: `update ${round}` };
  return { ...pod, metadata: { ...pod.metadata, resourceVersion: String(round) }, status };
}

function appObjects(namespace: string, name: string): KubeObject[] {
  const labels = { app: name, "app.kubernetes.io/part-of": "shop", "app.kubernetes.io/managed-by": "helm" };
  const app = { namespace, name, labels };
  const named = (suffix: string): App => ({ ...app, name: `${name}-${suffix}` });
  const spec = podSpec(name);
  const deployment = { ...meta("apps/v1", "Deployment", app), spec: workloadSpec(PODS_PER_APP, app), status: replicaStatus(PODS_PER_APP) };
  const sets = [0, PODS_PER_APP].map((replicas) => ({
    ...owned(meta("apps/v1", "ReplicaSet", named(`rs${replicas}`)), deployment),
    spec: workloadSpec(replicas, app),
    status: replicaStatus(replicas),
  }));
  const pods = Array.from({ length: PODS_PER_APP }, (_, index) => ({
    ...owned(meta("v1", "Pod", named(`rs${PODS_PER_APP}-${index}`)), sets[1] ?? deployment),
    spec: { ...spec, nodeName: `node-${index}` },
    status: podStatus(),
  }));
  const service = {
    ...meta("v1", "Service", app),
    spec: { type: "ClusterIP", selector: { app: name }, ports: [{ port: 80 }] },
    status: {},
  };
  const sliceApp = { ...named("slice"), labels: { ...labels, "kubernetes.io/service-name": name } };
  const slice = {
    ...owned(meta("discovery.k8s.io/v1", "EndpointSlice", sliceApp), service),
    addressType: "IPv4",
    endpoints: pods.map(({ metadata }) => ({
      addresses: ["10.0.0.1"],
      conditions: { ready: true },
      targetRef: { kind: "Pod", namespace, name: metadata.name, uid: metadata.uid },
    })),
  };
  const maps = ["settings", "files"].map((suffix) => meta("v1", "ConfigMap", named(suffix)));
  return [deployment, ...sets, ...pods, service, slice, ...maps];
}

function meta(apiVersion: string, kind: string, { namespace, name, labels }: App): KubeObject & { metadata: { uid: string } } {
  const uid = `${kind}-${namespace}-${name}-0a1b2c3d`;
  return { apiVersion, kind, metadata: { namespace, name, uid, labels, resourceVersion: "1", generation: 3, creationTimestamp: CREATED } };
}

function owned(object: KubeObject & { metadata: { uid: string } }, owner: KubeObject & { metadata: { uid: string } }) {
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function workloadSpec(replicas: number, app: App) {
  return {
    replicas,
    selector: { matchLabels: { app: app.name } },
    template: { metadata: { labels: app.labels }, spec: podSpec(app.name) },
  };
}

/** One ConfigMap in the environment, one both as a volume and by key, and the volume that every pod gets. */
function podSpec(app: string) {
  const files = { name: `${app}-files` };
  return {
    serviceAccountName: "default",
    containers: [
      {
        name: "main",
        image: "registry.example.com/shop/main:1.0.0",
        envFrom: [{ configMapRef: { name: `${app}-settings` } }],
        env: [
          { name: "MODE", value: "production" },
          { name: "LEVEL", valueFrom: { configMapKeyRef: { ...files, key: "level" } } },
        ],
      },
      { name: "proxy", image: "registry.example.com/mesh/proxy:1.0.0", env: [{ name: "MODE", value: "sidecar" }] },
    ],
    volumes: [
      { name: "files", configMap: files },
      { name: "scratch", emptyDir: {} },
      { name: "kube-api-access", projected: { sources: [{ configMap: { name: "kube-root-ca.crt" } }] } },
    ],
  };
}

function podStatus() {
  const state = { running: { startedAt: CREATED } };
  const container = { ready: true, restartCount: 0, state };
  const containerStatuses = [
    { name: "main", ...container },
    { name: "proxy", ...container },
  ];
  return { phase: "Running", startTime: CREATED, conditions: [condition("Ready"), condition("PodScheduled")], containerStatuses };
}

function replicaStatus(replicas: number) {
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, updatedReplicas: replicas };
  return { ...counts, observedGeneration: 3, conditions: [condition("Available"), condition("Progressing")] };
}

function condition(type: string) {
  return { type, status: "True", reason: "AsExpected", message: "all is well", lastTransitionTime: CREATED };
}
