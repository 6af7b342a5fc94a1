import type { KindAccessEntry } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";
import { beforeEach, describe, expect, test } from "vitest";

import type { ReadNode } from "../stream/view-reader.ts";
import { object, owned, unscheduled } from "../testing/made-objects.ts";
import { Bench, kind, mounting, pod, synced } from "./graph-projection-harness.ts";

const MINUTE_MS = 60_000;

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

describe("time", () => {
  test("makes worse what waits too long, what it belongs to, and the environment", () => {
    const set = { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas: 1 }, status: { replicas: 1 } };
    bench.show(set, owned(set, unscheduled("p")));
    expect(bench.nodes.get("p")?.health?.status).toBe("Progressing");
    bench.nowMs += 6 * MINUTE_MS;
    bench.projection.review(false);
    bench.show();
    expect(bench.nodes.get("p")?.health).toMatchObject({ status: "Degraded", reason: "Unschedulable" });
    expect(bench.nodes.get("set")?.worstBelow).toBe("Degraded");
    bench.show();
    expect(bench.health.status).not.toBe("Healthy");
  });

  test("leaves alone what is well, and says nothing twice", () => {
    bench.show(pod("well", true), unscheduled("p"));
    const subscription = bench.state.open(() => {});
    subscription.take();
    for (const thorough of [false, true]) {
      bench.projection.review(thorough);
      bench.show();
      expect(subscription.take()).toBeUndefined();
    }
  });
});

describe("objects that leave", () => {
  test("take their node, their lines and their weight with them, and may come back", () => {
    const set = { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas: 1 }, status: { replicas: 1 } };
    bench.show(set, owned(set, pod("p", false)));
    expect(bench.edges).toHaveLength(1);
    bench.projection.remove("set");
    bench.show();
    expect([...bench.nodes.keys()]).toContain("p");
    expect(bench.nodes.get("set")?.presence ?? "gone").not.toBe("present");
    expect(bench.nodes.get("p")?.ownerId).not.toBe("set");
    bench.projection.remove("p");
    bench.show();
    expect(bench.nodes.size).toBe(0);
    expect(bench.edges).toEqual([]);
    expect(bench.health).toMatchObject({ reason: "NothingToRate", issues: [], issuesTotal: 0 });
    bench.show(set, owned(set, pod("p", true)));
    expect(bench.nodes.get("p")).toMatchObject({ ownerId: "set", health: { status: "Healthy" } });
  });
});

describe("what is missing", () => {
  test("is Missing once its kind is all there, and unknown before and after", () => {
    bench.projection.setKinds(["/Pod", "/ConfigMap"].map(kind));
    bench.show(mounting("p", "settings"));
    const ghost = (): ReadNode | undefined => bench.nodes.get("/ConfigMap/app/settings");
    expect(ghost()).toMatchObject({ presence: "not_visible" });
    expect(ghost()?.health).toBeUndefined();
    bench.projection.setAccess(synced("/Pod", "/ConfigMap"));
    bench.show();
    expect(ghost()).toMatchObject({ presence: "missing", health: { status: "Missing", words: expect.stringContaining("Pod p") } });
    expect(bench.health).toMatchObject({ status: "Missing", counts: { Missing: 1 } });
    bench.projection.setAccess(synced("/Pod"));
    bench.show();
    expect(ghost()).toMatchObject({ presence: "not_visible" });
    expect(bench.health.counts.Missing).toBe(0);
  });

  test("names all objects that need it, also later ones, and vanishes with them", () => {
    bench.projection.setAccess(synced("/ConfigMap"));
    bench.show(mounting("p", "settings"));
    bench.show(mounting("q", "settings"));
    expect(bench.nodes.get("/ConfigMap/app/settings")?.health?.words).toMatch(/Pod p.*Pod q/);
    bench.projection.remove("p");
    bench.projection.remove("q");
    bench.show();
    expect(bench.nodes.size).toBe(0);
  });

  test("is there when it comes", () => {
    bench.projection.setAccess(synced("/ConfigMap"));
    bench.show(mounting("p", "settings"));
    bench.show(object("v1", "ConfigMap", "settings"));
    expect([...bench.nodes.keys()].toSorted()).toEqual(["p", "settings"]);
    expect(bench.health.counts.Missing).toBe(0);
  });
});

describe("what rules look at beside an object", () => {
  const set = { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 0 } };
  const broken = {
    ...pod("p", false),
    status: {
      phase: "Running",
      containerStatuses: [{ name: "c", ready: false, restartCount: 9, state: { waiting: { reason: "CrashLoopBackOff" } } }],
    },
  };

  test.each([
    ["everything is known", ["/Pod", "apps/ReplicaSet"], "Degraded"],
    ["pods are not all there", ["apps/ReplicaSet"], "Progressing"],
  ])("when %s", (_what, known, status) => {
    bench.projection.setKinds(["/Pod", "apps/ReplicaSet"].map(kind));
    bench.projection.setAccess(synced(...known));
    bench.show(set, owned(set, broken));
    expect(bench.nodes.get("set")?.health?.status).toBe(status);
  });

  test("is known only when it is so in every namespace of the scope", () => {
    bench = new Bench({ namespaces: ["app", "other"] });
    bench.projection.setKinds(["/Pod"].map(kind));
    const pods = (namespaces: readonly string[]): KindAccessEntry => ({ ...kind("/Pod"), access: "synced", namespaces });
    bench.projection.setAccess([pods(["app"])]);
    bench.show(set, owned(set, broken));
    expect(bench.nodes.get("set")?.health?.status).toBe("Progressing");
    bench.projection.setAccess([pods(["app", "other"])]);
    bench.show();
    expect(bench.nodes.get("set")?.health?.status).toBe("Degraded");
  });
});

test.each([
  [["app"], undefined],
  [[], "Healthy"],
])(
  "whether the class of an Ingress publishes addresses at all is known of the whole cluster only (namespaces %j)",
  (namespaces, status) => {
    bench = new Bench({ namespaces });
    bench.projection.setAccess([]);
    const ingress = object("networking.k8s.io/v1", "Ingress", "door");
    bench.nowMs += 60 * MINUTE_MS;
    bench.show({ ...ingress, metadata: { ...ingress.metadata, creationTimestamp: "2026-01-01T00:00:00Z" } });
    expect(bench.nodes.get("door")?.health?.status).toBe(status);
  },
);

test("W2d: an Ingress without an address is waited for while its controller may be slow; then its namespace alone does not tell", () => {
  const door = object("networking.k8s.io/v1", "Ingress", "door");
  bench.show({ ...door, metadata: { ...door.metadata, creationTimestamp: "2026-01-01T00:00:00Z" } });
  expect([bench.nodes.get("door")?.health?.status, bench.health.issuesTotal]).toEqual(["Progressing", 1]);
  bench.nowMs += 11 * MINUTE_MS;
  bench.projection.review(false);
  bench.show();
  expect([bench.nodes.get("door")?.health, bench.health.issuesTotal]).toEqual([undefined, 0]);
  expect(bench.nodes.get("door")?.notices.map(({ reason }) => reason)).toEqual(["NoAddressSeen"]);
});

test("W2e: a Job whose pod cannot pull is an issue in the pod's words, after ten minutes as well, with one next step", () => {
  const job = {
    ...object("batch/v1", "Job", "import"),
    spec: { completions: 1 },
    status: { active: 1, startTime: "2026-01-01T00:00:00Z" },
  };
  const stuck = { name: "c", state: { waiting: { reason: "ImagePullBackOff", message: "no such image" } } };
  const pod = { ...object("v1", "Pod", "import-1"), spec: { restartPolicy: "Never" } };
  const waiting = { ...pod, status: { phase: "Pending", containerStatuses: [stuck] } };
  const born = { ...waiting, metadata: { ...waiting.metadata, creationTimestamp: "2026-01-01T00:00:00Z" } };
  bench.projection.setAccess(synced("/Pod", "apps/ReplicaSet", "batch/Job", "discovery.k8s.io/EndpointSlice"));
  bench.show(job, owned(job, born));
  const read = () => {
    const { health, notices } = bench.nodes.get("import") ?? {};
    return [health?.status, health?.reason, notices?.map(({ reason }) => reason), bench.health.issues.map(({ reason }) => reason)];
  };
  expect(read()).toEqual(["Progressing", "ImagePullBackOff", [], ["ImagePullBackOff"]]);
  bench.nowMs += 11 * MINUTE_MS;
  bench.projection.review(false);
  bench.show();
  expect(read()).toEqual(["Progressing", "ImagePullBackOff", [], ["ImagePullBackOff"]]);
});

test("W2i: an autoscaler of the first version that tells nothing and works has no opinion after a while", () => {
  const scaler = { ...object("autoscaling/v1", "HorizontalPodAutoscaler", "scaler"), status: { currentReplicas: 2 } };
  bench.show({ ...scaler, metadata: { ...scaler.metadata, creationTimestamp: "2026-01-01T00:00:00Z" } });
  expect(bench.nodes.get("scaler")?.health?.status).toBe("Progressing");
  bench.nowMs += 11 * MINUTE_MS;
  bench.projection.review(false);
  bench.show();
  expect(bench.nodes.get("scaler")?.health).toBeUndefined();
});

test.each([
  ["EndpointSlice", { ...object("discovery.k8s.io/v1", "EndpointSlice", "x"), endpoints: [{ conditions: { ready: false } }] }],
  ["ResourceQuota", { ...object("v1", "ResourceQuota", "x"), status: { hard: { pods: "10" }, used: { pods: "9" } } }],
  ["Pod", { ...object("v1", "Pod", "x"), status: { phase: "Running", conditions: [{ type: "PodResizePending", status: "True" }] } }],
])("there is something to notice about a %s without any health to be afraid of", (_kind, noticed) => {
  bench.show(noticed);
  expect(bench.nodes.get("x")?.notices).toHaveLength(1);
});

test.each([
  ["with a status is waited for", ["status"], "Progressing"],
  ["without a status says nothing of its health", [], undefined],
])("a custom resource %s, as discovery tells", (_what, subresources, status) => {
  bench.projection.setKinds([{ ...kind("x.io/Widget"), subresources }]);
  for (const access of [undefined, synced("x.io/Widget")]) {
    if (access) bench.projection.setAccess(access);
    bench.show(object("x.io/v1", "Widget", "w"));
    expect(bench.nodes.get("w")?.health?.status).toBe(status);
  }
});

test("a mark of a tool reaches what is below, changes with its bearer, and goes with it", () => {
  const marked = (name?: string): KubeObject => {
    const set = object("apps/v1", "ReplicaSet", "set");
    const annotations = { "argocd.argoproj.io/tracking-id": `${name}:apps/ReplicaSet:app/set` };
    return name === undefined ? set : { ...set, metadata: { ...set.metadata, annotations } };
  };
  bench.show(marked("shop"), owned(marked(), pod("p", true)));
  expect(bench.nodes.get("p")?.managedBy).toEqual({ tool: "argocd", name: "shop", direct: false });
  bench.show(marked("store"));
  expect([bench.nodes.get("set")?.managedBy, bench.nodes.get("p")?.managedBy]).toEqual([
    { tool: "argocd", name: "store", direct: true },
    { tool: "argocd", name: "store", direct: false },
  ]);
  bench.show(marked());
  expect([bench.nodes.get("set")?.managedBy, bench.nodes.get("p")?.managedBy]).toEqual([undefined, undefined]);
});

test("a node says since when it is there, and since when it is going", () => {
  const times = { creationTimestamp: "2025-01-01T00:00:00Z", deletionTimestamp: "2025-12-31T00:00:00Z" };
  const going = pod("p", true);
  bench.show({ ...going, metadata: { ...going.metadata, ...times } }, pod("q", true));
  expect(bench.nodes.get("p")).toMatchObject({ createdAt: times.creationTimestamp, deletingSince: times.deletionTimestamp });
  expect(bench.nodes.get("q")).not.toHaveProperty("createdAt");
  expect(bench.nodes.get("q")).not.toHaveProperty("deletingSince");
});

test.each([
  [1e12, 2 ** 31 - 1],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [1.5, 1],
  [-7, -1],
  ["9".repeat(400), -1],
])("W15: what a cluster claims of its replicas fits into a message (%j)", (replicas, sent) => {
  const set = { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas }, status: { readyReplicas: replicas } };
  const restarting = {
    ...pod("p", true),
    status: { phase: "Running", containerStatuses: [1, 2, 3].map(() => ({ restartCount: 2 ** 52 })) },
  };
  bench.show(set, restarting);
  const view = bench.state.open(() => {}).take();
  expect(view?.content.bytes.length).toBeGreaterThan(0);
  expect(bench.nodes.get("set")).toMatchObject({ ready: sent, wanted: sent });
  expect(bench.nodes.get("p")?.restarts).toBe(2 ** 32 - 1);
});

test("W15: an edge and an owner refer to the numbers of what is in the same message", () => {
  const set = { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas: 1 } };
  bench.show(owned(set, pod("p", true)), set, mounting("q", "settings"));
  const message = bench.state.open(() => {}).take();
  if (message?.kind !== "snapshot") throw new Error("a subscription begins with a snapshot");
  const numbers = message.nodes.map(({ id }) => id);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Math.max(...numbers)).toBe(numbers.length);
  for (const { ownerId } of message.nodes) expect([0, ...numbers]).toContain(ownerId);
  for (const { from, to } of message.edges) expect([numbers.includes(from), numbers.includes(to)]).toEqual([true, true]);
  expect(bench.nodes.get("p")?.ownerId).toBe("set");
  expect(message.edges.length).toBeGreaterThan(0);
});
