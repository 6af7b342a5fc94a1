import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { quoted } from "@binnacle/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { WatchBudget } from "../limits/watch-budget.ts";
import type { ViewMessage, ViewSource } from "../stream/view-model.ts";
import { ViewReader, type ReadNode } from "../stream/view-reader.ts";

const KINDS = [
  "/v1/pods/Pod",
  "/v1/events/Event",
  "/v1/configmaps/ConfigMap",
  "/v1/secrets/Secret",
  "apps/v1/replicasets/ReplicaSet",
  "apps/v1/deployments/Deployment",
  "coordination.k8s.io/v1/leases/Lease",
].map(kindOf);
const WIDGETS = kindOf("example.com/v1/widgets/Widget");

function pod(name: string, options: { ready?: boolean; owner?: KubeObject; waiting?: string } = {}): KubeObject {
  const { ready = true, owner, waiting } = options;
  const ownerReferences = owner
    ? [{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid ?? "", controller: true }]
    : [];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ownerReferences, creationTimestamp: "2025-12-31T00:00:00Z" },
    spec: { restartPolicy: "Always", containers: [{ name: "c", image: "registry.invalid/app:1" }] },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: [
        { name: "c", ready, restartCount: 2, state: waiting === undefined ? { running: {} } : { waiting: { reason: waiting } } },
      ],
    },
  };
}

/** What a browser would have. */
class Screen extends ViewReader {
  readonly all: ViewMessage[] = [];

  override take(message: ViewMessage): void {
    this.all.push(message);
    super.take(message);
  }

  named(name: string): ReadNode | undefined {
    return [...this.nodes.values()].find((node) => node.ref.name === name);
  }

  source(id: string): ViewSource | undefined {
    return this.sources.get(`${id}/app`);
  }
}

let clock: ManualClock;
let cluster: FakeCluster;
let view: EnvironmentView;
let stop: AbortController;
let ended: Promise<void>;

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
  view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0 });
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
  cluster.assertIdle();
});

function show(): Screen {
  const screen = new Screen();
  const subscription = view.open(() => {
    const message = subscription.take();
    if (message) screen.take(message);
  });
  return screen;
}

async function start(): Promise<Screen> {
  ended = view.run(stop.signal);
  const screen = show();
  await clock.elapse(1_000);
  return screen;
}

describe("EnvironmentView", () => {
  test("shows a snapshot at once, and the whole ownership tree soon after", async () => {
    const replicas = cluster.put("apps/replicasets", {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "rs" },
      spec: { replicas: 1 },
      status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    cluster.put("/pods", pod("web-1", { owner: replicas }));
    const screen = await start();
    expect(screen.all[0]).toMatchObject({ kind: "snapshot", complete: false, connection: { state: "connecting" } });
    expect(screen.complete).toBe(true);
    expect(screen.connection?.state).toBe("connected");
    expect(screen.named("web-1")).toMatchObject({
      ownerId: screen.named("rs")?.id,
      presence: "present",
      restarts: 2,
      images: ["registry.invalid/app:1"],
      health: { status: "Healthy" },
    });
    expect(screen.named("rs")?.ref).toEqual({
      group: "apps",
      version: "v1",
      kind: "ReplicaSet",
      resource: "replicasets",
      namespace: "app",
      name: "rs",
    });
    expect(screen.health?.status).toBe("Healthy");
  });

  test("a pod that fails turns its owner's subtree and the environment", async () => {
    const replicas = cluster.put("apps/replicasets", {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "rs" },
      spec: { replicas: 1 },
      status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    cluster.put("/pods", pod("owned", { owner: replicas }));
    cluster.put("/pods", pod("alone"));
    const screen = await start();
    cluster.put("/pods", pod("owned", { owner: replicas, ready: false, waiting: "ImagePullBackOff" }));
    cluster.put("/pods", pod("alone", { ready: false, waiting: "ImagePullBackOff" }));
    await clock.elapse(300);
    expect(screen.named("rs")?.worstBelow).toBe("Degraded");
    expect(screen.named("alone")?.health?.reason).toBe("ImagePullBackOff");
    expect(screen.health).toMatchObject({ status: "Degraded" });
    expect(screen.health?.issues.flatMap(({ members }) => members.map(({ ref }) => ref?.name))).toContain("alone");
    cluster.put("/pods", pod("owned", { owner: replicas }));
    cluster.put("/pods", pod("alone"));
    await clock.elapse(300);
    expect(screen.health?.status).toBe("Healthy");
    expect(screen.named("rs")?.worstBelow).toBe("Healthy");
  });

  test("reads Secrets as metadata only, and Leases and Events are no nodes", async () => {
    cluster.put("/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { password: "x" } });
    cluster.put("/events", { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject: { uid: "u1" }, reason: "Failed" });
    cluster.put("coordination.k8s.io/leases", { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } });
    const screen = await start();
    expect([...screen.nodes.values()].map((node) => node.ref.kind)).toEqual(["Secret"]);
    expect(cluster.requests.filter((request) => request.includes("leases"))).toEqual([]);
    expect(screen.source("coordination.k8s.io/leases")).toBeUndefined();
  });

  test("a namespace with nothing but what Kubernetes puts into each is empty", async () => {
    cluster.put("/serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-root-ca.crt" } });
    const screen = await start();
    expect([...screen.nodes.values()]).toEqual([]);
  });

  test("what is referred to and not there is missing, and merely not visible while its kind may not be read", async () => {
    const mounting = pod("p");
    cluster.put("/pods", { ...mounting, spec: { containers: [{ name: "c", envFrom: [{ configMapRef: { name: "settings" } }] }] } });
    const screen = await start();
    expect(screen.named("settings")).toMatchObject({
      presence: "missing",
      health: { status: "Missing" },
      ref: { kind: "ConfigMap", resource: "configmaps" },
    });
    expect([...screen.edges.values()]).toMatchObject([
      { kind: "pod-cm", edgeClass: "mount", missing: true, to: screen.named("settings")?.id },
    ]);
    expect(screen.health).toMatchObject({ status: "Missing", reason: "NotFound" });
    cluster.forbidden.add("/configmaps");
    cluster.disconnect();
    await clock.elapse(10_000);
    expect(screen.named("settings")).toMatchObject({ presence: "not_visible" });
    expect(screen.named("settings")?.health).toBeUndefined();
    expect(screen.health?.status).toBe("Healthy");
    cluster.forbidden.delete("/configmaps");
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { a: "secret-value" } });
    await clock.elapse(61_000);
    expect(screen.named("settings")).toMatchObject({ presence: "present", factWords: "1 key" });
    expect([...screen.edges.values()]).toMatchObject([{ missing: false }]);
  });

  test("at most four deltas a second, and two of them at once", async () => {
    const screen = await start();
    const before = screen.all.length;
    for (let index = 0; index < 100; index += 1) {
      cluster.put("/pods", pod(`p${index}`));
      await clock.elapse(10);
    }
    expect(screen.all.length - before).toBeLessThanOrEqual(6);
    await clock.elapse(300);
    expect(screen.nodes.size).toBe(100);
  });

  test("a change right after another one is sent within 20 ms", async () => {
    const screen = await start();
    await clock.elapse(1_000);
    cluster.put("/pods", pod("first"));
    await clock.elapse(1);
    expect(screen.named("first")).toBeDefined();
    cluster.put("/pods", pod("second"));
    await clock.elapse(20);
    expect(screen.named("second")).toBeDefined();
  });

  test("a kind that appears joins without a restart and leaves with its definition", async () => {
    const screen = await start();
    cluster.addKind(WIDGETS);
    cluster.put("example.com/widgets", {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w" },
      status: { conditions: [{ type: "Ready", status: "False", reason: "Broken" }] },
    });
    await clock.elapse(11_000);
    expect(screen.named("w")).toMatchObject({ ref: { resource: "widgets" }, health: { status: "Degraded" } });
    expect(cluster.count("probe example.com/widgets")).toBe(1);
    cluster.removeKind(WIDGETS);
    await clock.elapse(11_000);
    expect(screen.named("w")).toBeUndefined();
    expect(screen.source("example.com/widgets")).toBeUndefined();
  });

  test("a forbidden kind is reported, the rest is shown, and only kinds with a rule make it partial", async () => {
    cluster.forbidden.add("/secrets");
    cluster.put("/pods", pod("p"));
    const screen = await start();
    expect(screen.complete).toBe(true);
    expect(screen.source("/secrets")).toMatchObject({
      settled: "forbidden",
      words: quoted("you may not do that with /secrets"),
      countsForHealth: false,
    });
    expect(screen.health).toMatchObject({ status: "Healthy", partial: false, hidden: ["secrets"] });
    cluster.forbidden.add("apps/deployments");
    cluster.disconnect();
    await clock.elapse(10_000);
    expect(screen.health).toMatchObject({ partial: true, hidden: ["deployments.apps", "secrets"] });
  });

  test("while the agent is away everything stays, marked stale; afterwards what happened meanwhile is right, without a second list", async () => {
    cluster.put("/pods", pod("deleted"));
    cluster.put("/pods", pod("recreated"));
    const screen = await start();
    const first = screen.numberOf(screen.named("recreated")?.id ?? "");
    cluster.outage = new KubeClientError("agent_offline", "agent 3 is not connected");
    cluster.disconnect();
    await clock.elapse(2_000);
    expect(screen.connection?.state).toBe("agent_offline");
    expect(screen.source("/pods")).toMatchObject({ settled: "live", stale: { cause: "way" } });
    expect(screen.nodes.size).toBe(2);
    cluster.delete("/pods", "deleted");
    cluster.delete("/pods", "recreated");
    cluster.put("/pods", pod("recreated"));
    cluster.put("/pods", pod("created"));
    cluster.outage = undefined;
    await clock.elapse(8_000);
    expect([...screen.nodes.values()].map((node) => node.ref.name).toSorted()).toEqual(["created", "recreated"]);
    expect(screen.numberOf(screen.named("recreated")?.id ?? "")).not.toBe(first);
    expect(screen.source("/pods")).toMatchObject({ settled: "live" });
    expect(screen.source("/pods")?.stale).toBeUndefined();
    expect(screen.connection?.state).toBe("connected");
    expect(cluster.count("list /pods")).toBe(1);
    expect(cluster.count("list apps/deployments")).toBe(1);
  });

  test("a stopped agent greys the view although no watch has broken", async () => {
    cluster.put("/pods", pod("p"));
    const screen = await start();
    cluster.hanging = true;
    await clock.elapse(40_000);
    expect(screen.connection?.state).toBe("agent_offline");
    expect(screen.source("/pods")).toMatchObject({ settled: "live", stale: { cause: "way" } });
    cluster.hanging = false;
    await clock.elapse(30_000);
    expect(screen.connection?.state).toBe("connected");
    expect(screen.source("/pods")).toMatchObject({ settled: "live" });
    expect(screen.source("/pods")?.stale).toBeUndefined();
  });

  test("a second subscriber adds no request and begins with a snapshot", async () => {
    cluster.put("/pods", pod("p"));
    await start();
    const before = cluster.requests.length;
    const second = show();
    await clock.elapse(0);
    expect(second.all.map(({ kind }) => kind)).toEqual(["snapshot"]);
    expect(second.nodes.size).toBe(1);
    expect(cluster.requests.length).toBe(before);
  });

  test("an agent with few tunnels gets no more watches than it can bear", async () => {
    view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0, watches: new WatchBudget(3) });
    const few = cluster;
    for (const id of ["/configmaps", "/secrets"])
      few.put(id, { apiVersion: "v1", kind: id === "/secrets" ? "Secret" : "ConfigMap", metadata: { name: "x" } });
    const screen = await start();
    expect(few.openWatches()).toBe(3);
    expect(screen.nodes.size).toBe(2);
    few.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "later" } });
    await clock.elapse(62_000);
    expect(screen.named("later")).toBeDefined();
  });

  test("the messages can be read as an async iterable", async () => {
    ended = view.run(stop.signal);
    cluster.put("/pods", pod("p"));
    const leave = new AbortController();
    const kinds: string[] = [];
    const reading = (async () => {
      for await (const message of view.watch(leave.signal)) kinds.push(message.kind);
    })();
    await clock.elapse(1_000);
    leave.abort();
    await reading;
    expect(kinds[0]).toBe("snapshot");
    expect(new Set(kinds.slice(1))).toEqual(new Set(["delta"]));
  });
});
