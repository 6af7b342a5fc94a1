import { parseLabelMap, type KindAccessEntry } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { beforeEach, describe, expect, test } from "vitest";

import type { ViewEdge, ViewEnvironmentHealth, ViewNode } from "../view-model.ts";
import type { ViewScope } from "../view-scope.ts";
import { ViewState } from "../view-state.ts";
import { EventIndex } from "./event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import { object, owned } from "./made-objects.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;

/** A projection under a hand-moved clock, and what a view would have of it. */
class Bench {
  nowMs = START_MS;
  readonly state: ViewState;
  readonly projection: GraphProjection;

  constructor(scope: ViewScope = { namespaces: ["app"] }) {
    this.projection = new GraphProjection({
      scope,
      now: () => this.nowMs,
      events: new EventIndex(),
      rules: undefined,
      isWhole: () => true,
      customEdges: [],
      changed: () => {},
    });
    this.state = new ViewState(this.projection.health([]), { state: "connected", sinceMs: 0, message: "" });
  }

  show(...objects: readonly KubeObject[]): void {
    for (const object of objects) this.projection.upsert(object);
    this.projection.flush(this.state);
  }

  get health(): ViewEnvironmentHealth {
    return this.projection.health([]);
  }

  get nodes(): ReadonlyMap<string, ViewNode> {
    return new Map(this.#snapshot().nodes.map((node) => [node.id, node]));
  }

  get edges(): readonly ViewEdge[] {
    return this.#snapshot().edges;
  }

  #snapshot(): { readonly nodes: readonly ViewNode[]; readonly edges: readonly ViewEdge[] } {
    const subscription = this.state.open(() => {});
    const message = subscription.take();
    subscription.close();
    if (message?.kind !== "snapshot") throw new Error("a subscription begins with a snapshot");
    return message;
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

function pod(name: string, ready: boolean): KubeObject {
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  return { ...object("v1", "Pod", name), spec: { restartPolicy: "Always" }, status: { phase: "Running", conditions } };
}

/** A pod that no node takes, since the start. */
function unscheduled(name: string): KubeObject {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", lastTransitionTime: "2026-01-01T00:00:00Z" };
  return { ...object("v1", "Pod", name), status: { phase: "Pending", conditions: [condition] } };
}

function mounting(name: string, configMap: string): KubeObject {
  return { ...pod(name, true), spec: { volumes: [{ name: "v", configMap: { name: configMap } }] } };
}

function kind(id: string): ResourceKind {
  const [group = "", name = ""] = id.split("/");
  return {
    group,
    version: "v1",
    kind: name,
    resource: `${name.toLowerCase()}s`,
    namespaced: true,
    verbs: ["list"],
    subresources: ["status"],
    shortNames: [],
  };
}

function synced(...ids: readonly string[]): KindAccessEntry[] {
  return ids.map((id) => ({ ...kind(id), access: "synced" as const }));
}

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
    expect(bench.health).toMatchObject({ reason: "NothingToRate", causes: [] });
    bench.show(set, owned(set, pod("p", true)));
    expect(bench.nodes.get("p")).toMatchObject({ ownerId: "set", health: { status: "Healthy" } });
  });
});

describe("the roll-up", () => {
  test("counts roots, not what they own", () => {
    const set = {
      ...object("apps/v1", "ReplicaSet", "set"),
      spec: { replicas: 2 },
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
    };
    bench.show(set, owned(set, pod("a", true)), owned(set, pod("b", true)), pod("alone", true));
    expect(bench.health.counts.Healthy).toBe(2);
    expect(bench.nodes.get("set")).toMatchObject({ ready: 2, wanted: 2 });
    expect(bench.nodes.get("alone")).toMatchObject({ ready: -1, wanted: -1 });
  });

  test("counts what is owned by something out of sight", () => {
    const labels = parseLabelMap({ team: "shop" });
    bench = new Bench({ namespaces: ["app"], ...(labels && { labels }) });
    const set = object("apps/v1", "ReplicaSet", "set");
    const own = owned(set, pod("a", true));
    bench.show(set, { ...own, metadata: { ...own.metadata, labels: { team: "shop" } } });
    expect([...bench.nodes.keys()]).toEqual(["a"]);
    expect(bench.nodes.get("a")?.ownerId).toBe("");
    expect(bench.health.counts.Healthy).toBe(1);
  });

  test("names kinds that are hidden, each once", () => {
    const source = { id: "", version: "v1", namespace: "app", shown: 0, total: 0, message: "", countsForHealth: true } as const;
    const hidden = bench.projection.health([
      { ...source, group: "apps", resource: "deployments", kind: "Deployment", state: "forbidden" },
      { ...source, group: "", resource: "secrets", kind: "Secret", state: "forbidden" },
      { ...source, group: "", resource: "secrets", kind: "Secret", namespace: "other", state: "forbidden" },
      { ...source, group: "", resource: "pods", kind: "Pod", state: "live" },
    ]);
    expect(hidden).toMatchObject({ partial: true, hidden: ["deployments.apps", "secrets"] });
  });
});

describe("what is missing", () => {
  test("is Missing once its kind is all there, and unknown before and after", () => {
    bench.projection.setKinds(["/Pod", "/ConfigMap"].map(kind));
    bench.show(mounting("p", "settings"));
    const ghost = (): ViewNode | undefined => bench.nodes.get("/ConfigMap/app/settings");
    expect(ghost()).toMatchObject({ presence: "not_visible" });
    expect(ghost()?.health).toBeUndefined();
    bench.projection.setAccess(synced("/Pod", "/ConfigMap"));
    bench.show();
    expect(ghost()).toMatchObject({ presence: "missing", health: { status: "Missing", message: expect.stringContaining("Pod p") } });
    expect(bench.health).toMatchObject({ status: "Missing", counts: { Missing: 1 } });
    bench.projection.setAccess(synced("/Pod"));
    bench.show();
    expect(ghost()).toMatchObject({ presence: "not_visible" });
    expect(bench.health.counts.Missing).toBe(0);
  });

  test("names everybody who needs it, also those who come later, and is nobody's when they leave", () => {
    bench.projection.setAccess(synced("/ConfigMap"));
    bench.show(mounting("p", "settings"));
    bench.show(mounting("q", "settings"));
    expect(bench.nodes.get("/ConfigMap/app/settings")?.health?.message).toMatch(/Pod p.*Pod q/);
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
  [["app"], "Progressing"],
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
