import type { KubeObject } from "@binnacle/kube";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { inWords, type InWords } from "../stream/in-words.ts";
import { textsOf, type NodeTexts } from "../stream/view-reader.ts";

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
let health: InWords<EnvironmentHealth> | undefined;
const nodes = new Map<string, NodeTexts>();

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
    for (const node of message?.kind === "snapshot" ? message.nodes : (message?.upsertedNodes ?? []))
      nodes.set(node.ref?.name ?? "", textsOf(node));
    health = message?.health === undefined ? health : inWords(message.health);
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
    expect(why?.next).not.toBe("");
    expect(why?.chain.map(({ level, ref }) => `${level} ${ref?.kind} ${ref?.name}`)).toEqual([
      "resource Deployment web",
      "resource Pod web-1-x",
      "container Pod web-1-x",
    ]);
    expect(health?.issues[0]?.why).toEqual(why);
    expect(nodes.get("web-1-x")?.health?.why).toMatchObject({ reason: "ImagePullBackOff", next: why?.next });
  });

  test("what the cluster reports later makes the reason clearer", async () => {
    const pod = deploy({ ready: false, state: BACK_OFF });
    await start();
    const before = nodes.get("web")?.health?.why?.words;
    cluster.put("/events", failedPull(pod));
    await clock.elapse(500);
    const after = nodes.get("web")?.health?.why?.words;
    expect(after).not.toBe(before);
    expect(health?.issues[0]?.words).toBe(after);
    expect(health?.issues[0]?.why?.words).toBe(after);
  });

  test("a report that is gone is not shown any longer", async () => {
    const pod = deploy({ ready: false, state: BACK_OFF });
    await start();
    const before = nodes.get("web")?.health?.why?.words;
    const event = cluster.put("/events", failedPull(pod));
    await clock.elapse(500);
    expect(nodes.get("web")?.health?.why?.words).not.toBe(before);
    cluster.delete("/events", event.metadata.name);
    await clock.elapse(500);
    expect(nodes.get("web")?.health?.why?.words).toBe(before);
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
    const preceding = (id: string): unknown => nodes.get(id)?.health?.why?.precededBy?.what;
    expect([preceding("web"), preceding("web-1-x")]).not.toContain("scaling");
    cluster.put("autoscaling/horizontalpodautoscalers", autoscaler({ lastScaleTime: "2026-01-01T00:04:30Z" }));
    await clock.elapse(500);
    expect(preceding("web")).toBe("scaling");
    await clock.elapse(60_000);
    expect(preceding("web-1-x")).toBe("scaling");
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

  test("US4: a Service without ready endpoints stays healthy, says that this is no health of its own, and has a notice with a next step", async () => {
    cluster.put("/services", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", uid: "s" },
      spec: { type: "ClusterIP", selector: { app: "web" } },
    });
    await start();
    expect(nodes.get("web")?.health?.status).toBe("Healthy");
    expect(nodes.get("web")?.health?.words).toBe("A Service of this type has no health of its own");
    expect(nodes.get("web")?.notices).toMatchObject([{ reason: "NoEndpoints", next: expect.stringMatching(/\w/) }]);
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
    expect(nodes.get("door")?.notices.map(({ words }) => words)).toEqual([expect.stringContaining("shop")]);
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
    expect(nodes.get("web")?.health?.why?.chain.map(({ ref }) => ref?.name)).toEqual(["web", "web-1-x", "web-1-x"]);
  });
});

describe("issues of the environment", () => {
  const pulls = (name: string, image: string): void => {
    cluster.put("/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, uid: name, creationTimestamp: "2026-01-01T00:00:00Z" },
      spec: { restartPolicy: "Always", containers: [{ name: "c", image }] },
      status: { phase: "Pending", containerStatuses: [{ name: "c", ready: false, restartCount: 0, state: BACK_OFF }] },
    });
  };
  const HPA = "autoscaling/v2/horizontalpodautoscalers/HorizontalPodAutoscaler";
  const scaler = (name: string, { target = name, type = "ScalingActive", reason = "FailedGetResourceMetric", message = "" }): void => {
    cluster.put("autoscaling/horizontalpodautoscalers", {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name, uid: `h-${name}` },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target }, maxReplicas: 3 },
      status: { conditions: [{ type, status: "False", reason, message, lastTransitionTime: "2026-01-01T00:01:00Z" }] },
    });
  };
  const titles = (): string[] =>
    (health?.issues ?? []).map(({ members, reason }) => `${members.map(({ ref }) => ref?.name).join("+")}: ${reason}`);

  test("UB2: 63 autoscalers without metrics are one issue beside every other one, with true counts", async () => {
    cluster.addKind(kindOf(HPA));
    const message = "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: not found";
    for (let index = 0; index < 63; index += 1) {
      cluster.put("apps/deployments", {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: `web-${index}`, uid: `d-${index}` },
        spec: { replicas: 0 },
        status: {},
      });
      scaler(`web-${index}`, { message });
    }
    for (let index = 0; index < 9; index += 1) pulls(`pull-${index}`, `shop/app-${index}:1`);
    await start();
    expect(health).toMatchObject({ status: "Degraded", issuesTotal: 10, resourcesTotal: 72, counts: { Degraded: 72 } });
    const many = health?.issues.find(({ membersTotal }) => membersTotal > 1);
    expect(many).toMatchObject({ membersTotal: 63, reason: "FailedGetResourceMetric", kinds: ["HorizontalPodAutoscaler"] });
    expect(many?.members).toHaveLength(20);
    expect(health?.issues.reduce((sum, { membersTotal }) => sum + membersTotal, 0)).toBe(72);
  });

  test("US3: two images that cannot be pulled are two issues, and three pods with one of them are one", async () => {
    pulls("ds-pull", "a.invalid/x:1");
    for (const name of ["rollout", "rollout-2", "rollout-3"]) pulls(name, "b.invalid/y:2");
    await start();
    expect(titles()).toEqual(["ds-pull: ImagePullBackOff", "rollout+rollout-2+rollout-3: ImagePullBackOff"]);
  });

  test("US3: no ServiceAccount and no target are two issues, though both are NotFound; the ghost stands with who needs it", async () => {
    cluster.addKind(kindOf(HPA));
    const message = 'pods "no-sa-" is forbidden: error looking up service account app/robot: serviceaccount "robot" not found';
    cluster.put("apps/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "no-sa", uid: "no-sa" },
      spec: { replicas: 1 },
      status: {
        replicas: 0,
        conditions: [
          { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message },
          { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" },
        ],
      },
    });
    scaler("no-target", { target: "gone", type: "AbleToScale", reason: "FailedGetScale", message: 'deployments.apps "gone" not found' });
    await start();
    expect(titles().toSorted()).toEqual(["no-sa: NotFound", "no-target+gone: NotFound"]);
    expect(health).toMatchObject({ issuesTotal: 2, resourcesTotal: 3, counts: { Degraded: 2, Missing: 1 } });
  });

  test("UB2: a resolved issue leaves, and its members and totals with it", async () => {
    pulls("a", "shop/a:1");
    pulls("b", "shop/a:1");
    pulls("c", "shop/c:1");
    await start();
    expect(health).toMatchObject({ issuesTotal: 2, resourcesTotal: 3 });
    cluster.delete("/pods", "a");
    cluster.delete("/pods", "c");
    await clock.elapse(500);
    expect(titles()).toEqual(["b: ImagePullBackOff"]);
    cluster.delete("/pods", "b");
    await clock.elapse(500);
    expect(health).toMatchObject({ issues: [], issuesTotal: 0, resourcesTotal: 0 });
  });
});
