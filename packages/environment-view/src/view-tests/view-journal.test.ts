import type { KubeObject } from "@binnacle/kube";
import type { Change } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

const KINDS = [
  "/v1/pods/Pod",
  "/v1/events/Event",
  "/v1/configmaps/ConfigMap",
  "/v1/secrets/Secret",
  "apps/v1/replicasets/ReplicaSet",
  "apps/v1/deployments/Deployment",
].map(kindOf);
const DEPLOYMENTS = "apps/deployments";
/** By number. */
const WHAT = ["", "created", "changed", "deleted", "recreated"];
const BEGAN = Date.parse("2026-01-01T00:00:00Z");

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<void>;
let view: EnvironmentView;

beforeEach(() => {
  clock = new ManualClock(BEGAN);
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
  cluster.assertIdle();
});

async function start(options: { maxObjectsPerKind?: number; watches?: WatchBudget } = {}): Promise<void> {
  view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0, ...options });
  view.open(() => undefined);
  ended = view.run(stop.signal);
  await clock.elapse(1_000);
}

interface Written {
  readonly manager: string;
  readonly fields: object;
  readonly subresource?: string;
  readonly afterMs?: number;
}

function managed({ manager, fields, subresource, afterMs = 0 }: Written): object {
  const time = new Date(BEGAN + afterMs).toISOString();
  return { manager, operation: "Update", time, fieldsV1: fields, ...(subresource === undefined ? {} : { subresource }) };
}

function deployment(image: string, written: readonly Written[] = [], rest: { replicas?: number; env?: string } = {}): KubeObject {
  const { replicas = 1, env = "one" } = rest;
  const container = { name: "web", image, args: [`--word=${env}`], env: [{ name: "WORD", value: env }] };
  const metadata = { name: "web", creationTimestamp: "2025-12-31T00:00:00Z", managedFields: written.map(managed) };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas, template: { spec: { containers: [container] } } } };
}

const IMAGE = { "f:spec": { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { "f:image": {} } } } } } };
const REPLICAS = { "f:spec": { "f:replicas": {} } };

async function put(id: string, object: KubeObject, afterMs = 0): Promise<KubeObject> {
  if (afterMs > 0) await clock.elapse(afterMs);
  const stored = cluster.put(id, object);
  await clock.elapse(1);
  return stored;
}

function recorded(of?: string): string[] {
  return view
    .changesOf()
    .changes.filter(({ ref }) => of === undefined || ref?.name === of)
    .map((change) => line(change));
}

function line({ ref, kind, manager, subresource, fields, afterGap, count }: Change): string {
  const values = fields.map(({ path, before, after, hidden }) => (hidden ? `${path} hidden` : `${path} ${before ?? "-"}>${after ?? "-"}`));
  const who = subresource === "" ? manager : `${manager}/${subresource}`;
  const words = [WHAT[kind] ?? "", `${ref?.kind} ${ref?.name}`, ...(who === "" ? [] : [`by ${who}`]), ...values];
  return [...words, ...(afterGap ? ["after a gap"] : []), ...(count > 1 ? [`×${count}`] : [])].join(", ");
}

test("a journal begins with the view: what is there already is no change, and its begin is stated", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0 });
  expect(view.changesOf()).toEqual({ changes: [], sinceMs: undefined, isCut: false });
  view.open(() => undefined);
  ended = view.run(stop.signal);
  await clock.elapse(1_000);
  expect(view.changesOf()).toMatchObject({ changes: [], isCut: false });
  expect(view.changesOf().sinceMs).toBeLessThanOrEqual(clock.now());
});

test("a change is recorded with its fields, its writer and the time", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1", [{ manager: "helm", fields: IMAGE }]));
  await start();
  const edited = { manager: "kubectl-edit", fields: IMAGE, afterMs: 1_000 };
  const { metadata } = await put(DEPLOYMENTS, deployment("app:2", [{ manager: "helm", fields: {} }, edited]));
  expect(recorded()).toEqual(["changed, Deployment web, by kubectl-edit, spec.template.spec.containers[web].image app:1>app:2"]);
  const [change] = view.changesOf().changes;
  expect(change).toMatchObject({ atIsArrival: false, ref: { group: "apps", version: "v1", resource: "deployments", namespace: "app" } });
  expect(Number(change?.at?.seconds) * 1000).toBe(BEGAN + 1_000);
  expect(change).toMatchObject({ uid: metadata.uid, resourceVersions: [metadata.resourceVersion] });
});

test("a writer through a subresource is recorded with it", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  const scaled = { manager: "kube-controller-manager", fields: REPLICAS, subresource: "scale", afterMs: 500 };
  await put(DEPLOYMENTS, deployment("app:1", [{ manager: "helm", fields: IMAGE, afterMs: 900 }, scaled], { replicas: 4 }));
  expect(recorded()).toEqual(["changed, Deployment web, by kube-controller-manager/scale, spec.replicas 1>4"]);
});

test("a writer and a time that are unknown are not made up", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  const heardMs = clock.now();
  await put(DEPLOYMENTS, deployment("app:2"));
  expect(view.changesOf().changes[0]).toMatchObject({
    manager: "",
    atIsArrival: true,
    at: { seconds: BigInt(Math.floor(heardMs / 1000)) },
  });
});

test("what is not kept of an object is recorded as changed, without what it was or is", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1", [], { env: "canary-one" }));
  await start();
  await put(DEPLOYMENTS, deployment("app:1", [], { env: "canary-two" }));
  const container = "spec.template.spec.containers[web]";
  expect(recorded()).toEqual([`changed, Deployment web, ${container}.args hidden, ${container}.env[WORD].value hidden`]);
  expect(JSON.stringify(view.changesOf(), (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
    "canary",
  );
});

test("created, deleted and made again are recorded, and what no watch sees is not", async () => {
  await start();
  await put(DEPLOYMENTS, deployment("app:1", [{ manager: "kubectl-create", fields: IMAGE }]));
  cluster.delete(DEPLOYMENTS, "web");
  await clock.elapse(1);
  await put(DEPLOYMENTS, deployment("app:1"));
  expect(recorded()).toEqual(["recreated, Deployment web", "deleted, Deployment web", "created, Deployment web, by kubectl-create"]);
});

test("what comes and goes while there is no watch is recorded after a gap, once, and what was there is neither created nor deleted", async () => {
  for (const name of ["a", "b", "c"])
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k: name } });
  await start();
  cluster.compact();
  cluster.disconnect();
  cluster.delete("/configmaps", "a");
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" }, data: { k: "x" } });
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" }, data: { k: "y" } });
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "d" }, data: {} });
  cluster.compact();
  await clock.elapse(60_000);
  expect(recorded().toSorted()).toEqual([
    "changed, ConfigMap b, data.k hidden, after a gap",
    "created, ConfigMap d, after a gap",
    "deleted, ConfigMap a, after a gap",
  ]);
});

test("a watch that breaks and resumes has no gap", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  cluster.disconnect();
  cluster.put(DEPLOYMENTS, deployment("app:2"));
  await clock.elapse(10_000);
  expect(recorded()).toEqual(["changed, Deployment web, spec.template.spec.containers[web].image app:1>app:2"]);
});

test("without a watch every change is seen after a gap", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start({ watches: new WatchBudget(0) });
  cluster.put(DEPLOYMENTS, deployment("app:2"));
  cluster.put(DEPLOYMENTS, deployment("app:3"));
  await clock.elapse(60_000);
  expect(recorded()).toEqual(["changed, Deployment web, spec.template.spec.containers[web].image app:1>app:3, after a gap"]);
});

test("a limit makes nothing created or deleted", async () => {
  for (let index = 0; index < 10; index += 1)
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c-${index}` } });
  await start({ maxObjectsPerKind: 5 });
  for (let index = 0; index < 6; index += 1) cluster.delete("/configmaps", `c-${index}`);
  cluster.compact();
  cluster.disconnect();
  await clock.elapse(60_000);
  expect(recorded().filter((each) => each.startsWith("created"))).toEqual([]);
});

test("a kind that becomes forbidden takes its changes along at once, and begins anew when it may be read again", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  await put(DEPLOYMENTS, deployment("app:2"));
  const key = { group: "apps", kind: "Deployment", namespace: "app", name: "web" };
  expect(view.changesOf({ of: key }).changes).toHaveLength(1);
  cluster.forbidden.add(DEPLOYMENTS);
  cluster.disconnect();
  await clock.elapse(10_000);
  expect(view.changesOf()).toMatchObject({ changes: [] });
  expect(view.changesOf({ of: key })).toEqual({ changes: [], sinceMs: undefined, isCut: false });
  cluster.forbidden.delete(DEPLOYMENTS);
  await clock.elapse(120_000);
  expect(view.changesOf({ of: key })).toMatchObject({ changes: [] });
  expect(view.changesOf({ of: key }).sinceMs).toBeGreaterThan(BEGAN + 10_000);
});

test("of a Secret the keys and the fact of a change are recorded, and no value", async () => {
  const secret = (keys: readonly string[], afterMs: number): KubeObject => {
    const fields = { "f:data": { ".": {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) } };
    const managedFields = [managed({ manager: "kubectl-edit", fields, afterMs })];
    const metadata = { name: "till", labels: { tier: "canary" }, managedFields };
    return { apiVersion: "v1", kind: "Secret", metadata };
  };
  cluster.put("/secrets", secret(["password"], 0));
  await start();
  await put("/secrets", secret(["password", "user"], 1_000), 5_000);
  await put("/secrets", secret(["password", "user"], 6_000), 5_000);
  expect(recorded()).toEqual([
    "changed, Secret till, by kubectl-edit, data hidden",
    "changed, Secret till, by kubectl-edit, data.user hidden",
  ]);
});

test("changes since a time are those that were heard of then or later", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  await put(DEPLOYMENTS, deployment("app:2"), 5_000);
  const afterFirst = clock.now() + 1;
  await put(DEPLOYMENTS, deployment("app:3"), 5_000);
  expect(view.changesOf({ sinceMs: afterFirst }).changes.map(line)).toEqual([
    "changed, Deployment web, spec.template.spec.containers[web].image app:2>app:3",
  ]);
});

test("an Event is no change, and carries the uid of what it is about", async () => {
  const pod = cluster.put("/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web-1" }, status: { phase: "Pending" } });
  await start();
  const involvedObject = { apiVersion: "v1", kind: "Pod", namespace: "app", name: "web-1", uid: pod.metadata.uid };
  await put("/events", { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject, reason: "Scheduled" });
  await put("/pods", { ...pod, status: { phase: "Running" } });
  expect(recorded()).toEqual(["changed, Pod web-1, status.phase Pending>Running"]);
});

test("what one writer does in a moment is one change, and what goes back in it is none", async () => {
  cluster.put(DEPLOYMENTS, deployment("app:1"));
  await start();
  await put(DEPLOYMENTS, deployment("app:2"));
  await put(DEPLOYMENTS, deployment("app:3", [], { replicas: 2 }), 1_000);
  expect(recorded()).toEqual(["changed, Deployment web, spec.template.spec.containers[web].image app:1>app:3, spec.replicas 1>2, ×2"]);
  await put(DEPLOYMENTS, deployment("app:1"), 500);
  expect(recorded()).toEqual([]);
  await put(DEPLOYMENTS, deployment("app:4"), 5_000);
  await put(DEPLOYMENTS, deployment("app:5"), 5_000);
  expect(recorded()).toHaveLength(2);
});

test("the changes of all that a workload owns are bounded together, and what is missing is stated for each of them", async () => {
  const owned = (kind: string, name: string, owner: KubeObject): KubeObject => {
    const { apiVersion, kind: ownerKind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind: ownerKind, name: metadata.name, uid: metadata.uid ?? "", controller: true }];
    return { apiVersion: kind === "Pod" ? "v1" : "apps/v1", kind, metadata: { name, ownerReferences } };
  };
  const web = cluster.put(DEPLOYMENTS, deployment("app:1"));
  const replicas = cluster.put("apps/replicasets", owned("ReplicaSet", "web-1", web));
  const pods = ["a", "b"].map((name) => owned("Pod", name, replicas));
  for (const pod of pods) cluster.put("/pods", pod);
  await start();
  for (let index = 0; index < 150; index += 1) {
    for (const pod of pods) await put("/pods", { ...pod, spec: { nodeName: `node-${index}` } });
    await clock.elapse(2_100);
  }
  expect(view.changesOf().changes).toHaveLength(200);
  expect(view.changesOf().isCut).toBe(true);
  const key = { group: "", kind: "Pod", namespace: "app", name: "a" };
  expect(view.changesOf({ of: key })).toMatchObject({ isCut: true, changes: Array.from({ length: 100 }, () => ({ ref: { name: "a" } })) });
  const other = { group: "", kind: "ConfigMap", namespace: "app", name: "settings" };
  expect(view.changesOf({ of: other })).toMatchObject({ isCut: false, changes: [] });
});

test("a scope of some objects of its namespace tells changes of these only", async () => {
  const labelled = (name: string, team: string, value: string): KubeObject => {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { team } }, data: { k: value } };
  };
  cluster.put("/configmaps", labelled("mine", "a", "1"));
  cluster.put("/configmaps", labelled("theirs", "b", "1"));
  const labels = { requirements: [{ key: "team", operator: "In", values: ["a"] }] } as const;
  view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"], labels }, clock, random: () => 0 });
  view.open(() => undefined);
  ended = view.run(stop.signal);
  await clock.elapse(1_000);
  await put("/configmaps", labelled("mine", "a", "2"));
  await put("/configmaps", labelled("theirs", "b", "2"));
  await clock.elapse(1_000);
  expect(recorded()).toEqual(["changed, ConfigMap mine, data.k hidden"]);
  expect(view.changesOf({ of: { group: "", kind: "ConfigMap", namespace: "app", name: "theirs" } }).changes).toEqual([]);
});

test("a kind that is read in another way from now on has lost no change and made none up", async () => {
  for (const namespace of ["app", "b", "c"]) {
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { k: "1" } });
  }
  const clusterView = new ClusterView({ client: cluster, clock, random: () => 0 });
  const scope = clusterView.openScope({ namespaces: ["app"] });
  scope.open(() => undefined);
  ended = clusterView.run(stop.signal);
  await clock.elapse(1_000);
  for (const namespace of ["b", "c"]) clusterView.openScope({ namespaces: [namespace] }).open(() => undefined);
  await clock.elapse(60_000);
  expect(cluster.places).toContain("watch /configmaps@");
  expect(cluster.openWatches("/configmaps")).toBe(1);
  expect(scope.changesOf().changes).toEqual([]);
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { k: "2" } });
  cluster.delete("/configmaps", "b/settings");
  await clock.elapse(1_000);
  expect(scope.changesOf().changes.map(line)).toEqual(["changed, ConfigMap settings, data.k hidden"]);
});
