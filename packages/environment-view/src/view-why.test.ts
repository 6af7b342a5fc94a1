import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "./environment-view.ts";
import { FakeCluster, kindOf } from "./fake-cluster.ts";
import type { ViewEnvironmentHealth, ViewNode } from "./view-model.ts";

const KINDS = [
  "/v1/pods/Pod",
  "/v1/events/Event",
  "/v1/services/Service",
  "discovery.k8s.io/v1/endpointslices/EndpointSlice",
  "apps/v1/replicasets/ReplicaSet",
  "apps/v1/deployments/Deployment",
].map(kindOf);

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<void>;
let health: ViewEnvironmentHealth | undefined;
const nodes = new Map<string, ViewNode>();

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:10:00Z"));
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
  nodes.clear();
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
});

async function start(): Promise<void> {
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0 });
  ended = view.run(stop.signal);
  const subscription = view.open(() => {
    const message = subscription.take();
    for (const node of message?.kind === "snapshot" ? message.nodes : (message?.upsertedNodes ?? [])) nodes.set(node.ref.name, node);
    health = message?.health ?? health;
  });
  await clock.elapse(1_000);
}

function ownedBy(owner: KubeObject) {
  return [{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid ?? "", controller: true }];
}

/** A Deployment with one pod. */
function deploy(pod: { readonly ready: boolean; readonly state: Record<string, unknown> }): KubeObject {
  const annotations = { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:app/web", "deployment.kubernetes.io/revision": "1" };
  const counts = { replicas: 1, updatedReplicas: 1, availableReplicas: pod.ready ? 1 : 0, readyReplicas: pod.ready ? 1 : 0 };
  const deployment = cluster.put("apps/deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", uid: "d", annotations, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { replicas: 1 },
    status: counts,
  });
  const replicaSet = cluster.put("apps/replicasets", {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web-1", uid: "r", ownerReferences: ownedBy(deployment), annotations: { "deployment.kubernetes.io/revision": "1" } },
    spec: { replicas: 1 },
    status: counts,
  });
  return cluster.put("/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1-x", uid: "p", labels: { app: "web" }, ownerReferences: ownedBy(replicaSet) },
    spec: { restartPolicy: "Always", containers: [{ name: "c", image: "shop/web:2" }] },
    status: {
      phase: pod.ready ? "Running" : "Pending",
      conditions: [{ type: "Ready", status: pod.ready ? "True" : "False", lastTransitionTime: "2026-01-01T00:05:00Z" }],
      containerStatuses: [{ name: "c", ready: pod.ready, restartCount: 0, state: pod.state }],
    },
  });
}

const BACK_OFF = { waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "shop/web:2"' } };

function failedPull(pod: KubeObject): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e1" },
    involvedObject: { kind: "Pod", name: "web-1-x", namespace: "app", uid: pod.metadata.uid },
    type: "Warning",
    reason: "Failed",
    message: 'Failed to pull image "shop/web:2": rpc error: code = NotFound desc = manifest unknown',
    firstTimestamp: "2026-01-01T00:05:01Z",
  };
}

describe("why", () => {
  test("the environment, the workload and the pod lead down to the same root reason, with a next step", async () => {
    deploy({ ready: false, state: BACK_OFF });
    await start();
    const why = nodes.get("web")?.health?.why;
    expect(why).toMatchObject({ reason: "ImagePullBackOff", firstBadAt: "2026-01-01T00:05:00Z" });
    expect(why?.nextStep).not.toBe("");
    expect(why?.chain.map(({ level, ref }) => `${level} ${ref.kind} ${ref.name}`)).toEqual([
      "resource Deployment web",
      "resource Pod web-1-x",
      "container Pod web-1-x",
    ]);
    expect(why?.chain.map(({ nodeId }) => nodeId)).toEqual(["d", "p", "p"]);
    expect(health?.causes[0]?.why).toEqual(why);
    expect(nodes.get("web-1-x")?.health?.why).toMatchObject({ reason: "ImagePullBackOff", nextStep: why?.nextStep });
  });

  test("what the cluster reports later makes the reason clearer", async () => {
    const pod = deploy({ ready: false, state: BACK_OFF });
    await start();
    const before = nodes.get("web")?.health?.why?.message;
    cluster.put("/events", failedPull(pod));
    await clock.elapse(500);
    const after = nodes.get("web")?.health?.why?.message;
    expect(after).not.toBe(before);
    expect(health?.causes[0]?.why?.message).toBe(after);
  });

  test("a report that is gone is told no longer", async () => {
    const pod = deploy({ ready: false, state: BACK_OFF });
    await start();
    const before = nodes.get("web")?.health?.why?.message;
    const event = cluster.put("/events", failedPull(pod));
    await clock.elapse(500);
    expect(nodes.get("web")?.health?.why?.message).not.toBe(before);
    cluster.delete("/events", event.metadata.name);
    await clock.elapse(500);
    expect(nodes.get("web")?.health?.why?.message).toBe(before);
  });

  test("a changed ConfigMap is named at once by what uses it and is not well", async () => {
    cluster.addKind(kindOf("/v1/configmaps/ConfigMap"));
    const settings = (time: string): KubeObject => {
      const metadata = { name: "settings", uid: "c", managedFields: [{ manager: "kubectl", operation: "Update", time }] };
      return { apiVersion: "v1", kind: "ConfigMap", metadata };
    };
    cluster.put("/configmaps", settings("2025-12-01T00:00:00Z"));
    const pod = deploy({ ready: false, state: BACK_OFF });
    cluster.put("/pods", { ...pod, spec: { ...Object(pod["spec"]), volumes: [{ name: "s", configMap: { name: "settings" } }] } });
    await start();
    expect(nodes.get("web")?.health?.why?.precededBy?.what).not.toBe("config");
    cluster.put("/configmaps", settings("2026-01-01T00:04:00Z"));
    await clock.elapse(500);
    expect(nodes.get("web")?.health?.why?.precededBy).toMatchObject({ what: "config", at: "2026-01-01T00:04:00Z" });
  });

  test("an autoscaler that has scaled is named at once by its workload, and within a minute by the pods below", async () => {
    cluster.addKind(kindOf("autoscaling/v2/horizontalpodautoscalers/HorizontalPodAutoscaler"));
    const autoscaler = (status: object): KubeObject => ({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "scaler", uid: "h" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 },
      status,
    });
    cluster.put("autoscaling/horizontalpodautoscalers", autoscaler({}));
    deploy({ ready: false, state: BACK_OFF });
    await start();
    const preceding = (id: string): unknown => [...nodes.values()].find((node) => node.id === id)?.health?.why?.precededBy?.what;
    expect([preceding("d"), preceding("p")]).not.toContain("scaling");
    cluster.put("autoscaling/horizontalpodautoscalers", autoscaler({ lastScaleTime: "2026-01-01T00:04:30Z" }));
    await clock.elapse(500);
    expect(preceding("d")).toBe("scaling");
    await clock.elapse(60_000);
    expect(preceding("p")).toBe("scaling");
  });

  test("time that changes nothing sends nothing", async () => {
    deploy({ ready: false, state: BACK_OFF });
    await start();
    nodes.clear();
    await clock.elapse(60_000);
    expect([...nodes.keys()]).toEqual([]);
  });

  test("what is well has no why", async () => {
    deploy({ ready: true, state: { running: {} } });
    await start();
    expect(nodes.get("web")?.health).toMatchObject({ status: "Healthy" });
    expect(nodes.get("web")?.health).not.toHaveProperty("why");
  });

  test("a Service without ready endpoints stays healthy and has a notice with a next step", async () => {
    cluster.put("/services", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", uid: "s" },
      spec: { type: "ClusterIP", selector: { app: "web" } },
    });
    await start();
    expect(nodes.get("web")?.health?.status).toBe("Healthy");
    expect(nodes.get("web")?.notices).toMatchObject([{ reason: "NoEndpoints", nextStep: expect.stringMatching(/\w/) }]);
  });
});

test("a pod that is ready again after many restarts has a notice", async () => {
  const pod = deploy({ ready: true, state: { running: {} } });
  cluster.put("/pods", {
    ...pod,
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [{ name: "c", ready: true, restartCount: 7, lastState: { terminated: { exitCode: 1, reason: "Error" } } }],
    },
  });
  await start();
  expect(nodes.get("web-1-x")?.health?.status).toBe("Healthy");
  expect(nodes.get("web-1-x")?.notices).toHaveLength(1);
  expect(nodes.get("web")?.notices).toEqual([]);
});

describe("managers", () => {
  test("what bears the mark is managed directly, and what it owns was generated", async () => {
    deploy({ ready: true, state: { running: {} } });
    await start();
    expect(nodes.get("web")?.managedBy).toEqual({ tool: "argocd", name: "shop", direct: true });
    expect(nodes.get("web-1-x")?.managedBy).toEqual({ tool: "argocd", name: "shop", direct: false });
  });

  test("a mark that comes later reaches everything below", async () => {
    deploy({ ready: true, state: { running: {} } });
    cluster.put("apps/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", uid: "d" },
      spec: { replicas: 1 },
      status: {},
    });
    await start();
    expect(nodes.get("web-1-x")?.managedBy).toBeUndefined();
    deploy({ ready: true, state: { running: {} } });
    await clock.elapse(500);
    expect(nodes.get("web-1-x")?.managedBy).toMatchObject({ direct: false });
  });
});

describe("what is far away", () => {
  test("an Ingress says that its Service has no ready endpoints, and stops saying it when they come", async () => {
    cluster.addKind(kindOf("networking.k8s.io/v1/ingresses/Ingress"));
    cluster.put("/services", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "shop", uid: "s" },
      spec: { type: "ClusterIP", selector: { app: "shop" } },
    });
    cluster.put("networking.k8s.io/ingresses", {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "door", uid: "i" },
      spec: { defaultBackend: { service: { name: "shop", port: { number: 80 } } } },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    });
    const slice = (ready: boolean): KubeObject => ({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "shop-1", uid: "sl", labels: { "kubernetes.io/service-name": "shop" } },
      endpoints: [{ addresses: ["192.0.2.2"], conditions: { ready } }],
    });
    cluster.put("discovery.k8s.io/endpointslices", slice(false));
    await start();
    expect(nodes.get("door")?.notices.map(({ message }) => message)).toEqual([expect.stringContaining("shop")]);
    cluster.put("discovery.k8s.io/endpointslices", slice(true));
    await clock.elapse(500);
    expect(nodes.get("door")?.notices).toEqual([]);
  });

  test("of many pods the one that fails is found", async () => {
    deploy({ ready: false, state: BACK_OFF });
    const replicaSet = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: "r", controller: true }];
    for (let index = 0; index < 200; index += 1) {
      cluster.put("/pods", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `a-${index}`, uid: `a-${index}`, ownerReferences: replicaSet },
        spec: { restartPolicy: "Always" },
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      });
    }
    await start();
    expect(nodes.get("web")?.health?.why?.chain.map(({ ref }) => ref.name)).toEqual(["web", "web-1-x", "web-1-x"]);
  });
});
