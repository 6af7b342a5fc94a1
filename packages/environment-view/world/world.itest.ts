// needs: control-plane
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { buildGraph, EDGE_CATALOGUE, parseLabelMap, type CustomEdgeRule } from "@binnacle/graph";
import type { HealthStatus } from "@binnacle/health";
import { fieldsAt, listAt, numberAt, textAt, type KubeObject } from "@binnacle/kube";

import type { ReadNode } from "../src/stream/view-reader.ts";
import { SkippingClock } from "./skipping-clock.ts";
import type { PictureReader } from "./view-picture.ts";
import { asWritten, edgeLines, healthOfAll } from "./whole-cluster.ts";
import { NAMESPACE, WorldCluster } from "./world-cluster.ts";
import { quietPoint, RunningView, type Look } from "./world-views.ts";

const BASE = ["00-namespaces.yaml", "10-crds-gateway.yaml", "11-crds-certificates.yaml", "12-crds-flux.yaml", "13-crds-own.yaml"];
const OBJECTS = ["30-workloads.yaml", "40-traffic.yaml"];
const MINUTE_MS = 60_000;

// All steps together take a minute on two idle processors; on a machine that is busy with other things one may take that long.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type ShownStatus = HealthStatus | "none" | "gone";
type Statuses = Readonly<Record<string, ShownStatus>>;

const clock = new SkippingClock();
let cluster: WorldCluster;
let live: RunningView;

beforeAll(async () => {
  cluster = await WorldCluster.start();
  await cluster.apply(...BASE);
  await cluster.served();
  await cluster.apply("20-cluster-scope.yaml");
  // It watches from before the first object.
  live = new RunningView(cluster, clock, { way: "streams" });
});

afterAll(async () => {
  await live?.close();
  await cluster?.stop();
});

/**
 * At a quiet point the live view, with all that its messages add up to, shows what a view shows that starts now and reads lists in
 * pages. @returns the statuses of the named objects
 */
async function atRest(wanted: Statuses): Promise<Statuses> {
  const [shown, fresh] = await quietPoint(cluster, clock, live);
  expect(shown.picture).toEqual(fresh.picture);
  return Object.fromEntries(Object.keys(wanted).map((title) => [title, statusOf(shown.find(title))]));
}

/** What another look at the world shows. */
async function lookAt(look: Omit<Look, "way">): Promise<PictureReader> {
  const view = new RunningView(cluster, clock, { way: "streams", ...look });
  try {
    await view.completed();
  } finally {
    await view.close();
  }
  return view.reader;
}

function statusOf(node: ReadNode | undefined): ShownStatus {
  if (node === undefined) return "gone";
  return node.presence === "missing" ? "Missing" : (node.health?.status ?? "none");
}

function has(object: KubeObject, type: string, status: string): boolean {
  return listAt(fieldsAt(object, "status"), "conditions").some(
    (entry) => textAt(entry, "type") === type && textAt(entry, "status") === status,
  );
}

function condition(type: string, status: string, reason: string): object {
  return { type, status, reason, message: `the test says ${reason}`, lastTransitionTime: new Date().toISOString() };
}

function rolledOut(object: KubeObject): boolean {
  const [spec, status] = [fieldsAt(object, "spec"), fieldsAt(object, "status")];
  const wanted = numberAt(spec, "replicas");
  return (
    numberAt(status, "observedGeneration") === object.metadata["generation"] &&
    ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"].every((field) => (numberAt(status, field) ?? 0) === wanted)
  );
}

test("a world with every kind that Kubernetes serves comes up under a running view", async () => {
  await cluster.apply(...OBJECTS);
  for (const name of ["Deployment web", "Deployment bare", "StatefulSet db"]) await cluster.until(name, rolledOut);
  await cluster.until("DaemonSet logs", (object) => numberAt(fieldsAt(object, "status"), "numberAvailable") === 2);
  await cluster.until("Job migrate", (object) => has(object, "Complete", "True"));
  await clock.skip(MINUTE_MS);
  const wanted: Statuses = {
    "Deployment web": "Healthy",
    "Deployment bare": "Healthy",
    "StatefulSet db": "Healthy",
    "DaemonSet logs": "Healthy",
    "ReplicaSet alone": "Healthy",
    "ReplicationController old": "Healthy",
    "Pod single": "Healthy",
    "Job migrate": "Healthy",
  };
  expect(await atRest(wanted)).toEqual(wanted);
});

test("the world has an object of every kind that is served, and an edge of every row of the catalogue", async () => {
  const inventory = {
    entries: [
      { id: "shop_web_apps_Deployment", v: "v1" },
      { id: "shop_gone__ConfigMap", v: "v1" },
    ],
  };
  await cluster.report("kustomization/shop", { observedGeneration: 1, conditions: [condition("Ready", "True", "Fine")], inventory });
  const everything = await cluster.everything();
  const empty = [...everything].filter(([, objects]) => objects.length === 0).map(([kind]) => kind);
  expect(empty).toEqual([]);
  const edges = buildGraph([...everything.values()].flat()).edges();
  const shown = new Set<string>(edges.map(({ kind }) => kind));
  expect(Object.keys(EDGE_CATALOGUE).filter((kind) => !shown.has(kind))).toEqual([]);
});

describe("a scope", () => {
  /** "Kind name" of the nodes that a look shows, with what is generated in a name as a star. */
  async function titlesOf(look: Omit<Look, "way">): Promise<string[]> {
    const { picture } = await lookAt(look);
    const shown = picture.nodes.map(({ ref }) => `${ref.kind} ${ref.name.replace(/^(web|bare|migrate)-.*/, "$1-*")}`);
    return [...new Set(shown)].toSorted();
  }

  test("of a label is what has it, and what that owns", async () => {
    const labels = parseLabelMap({ "kustomize.toolkit.fluxcd.io/name": "shop" });
    const scope = { namespaces: [NAMESPACE], ...(labels && { labels }) };
    expect(await titlesOf({ scope })).toEqual(["Deployment web", "Pod web-*", "ReplicaSet web-*"]);
  });

  test("of an inventory is what bears its mark or is named in it, and what that owns, wherever it lives", async () => {
    const helm = { namespaces: [], inventory: { tool: "helm", name: "shop/bare" } } as const;
    expect(await titlesOf({ scope: helm })).toEqual(["Deployment bare", "Pod bare-*", "ReplicaSet bare-*"]);
    const flux = { namespaces: [NAMESPACE], inventory: { tool: "flux-kustomization", name: "shop/shop" } } as const;
    expect(await titlesOf({ scope: flux })).toEqual(["ConfigMap gone", "Deployment web", "Pod web-*", "ReplicaSet web-*"]);
  });

  test("of several namespaces is all of them, and no more", async () => {
    const both = await titlesOf({ scope: { namespaces: [NAMESPACE, "shared"] } });
    expect(both).toEqual([...new Set([...(await titlesOf({})), ...(await titlesOf({ scope: { namespaces: ["shared"] } }))])].toSorted());
    expect(both).toContain("Service ledger");
  });
});

test("an edge of a user leads to what is there and to what is missing, also from kinds that views do not retain", async () => {
  const to = { group: "apps", kind: "Deployment" };
  const rules: readonly CustomEdgeRule[] = [
    { id: "role", from: { group: "rbac.authorization.k8s.io", kind: "RoleBinding" }, class: "rbac", path: "$.roleRef.name", to },
    { id: "mount", from: { group: "", kind: "Pod" }, class: "mount", path: "$.spec.containers[*].volumeMounts[*].mountPath", to },
    { id: "files", from: { group: "", kind: "Pod" }, class: "mount", path: "$.spec.containers[*].volumeMounts[*].name", to },
  ];
  const shown = await lookAt({ customEdges: rules });
  const { edges } = shown.picture;
  const web = shown.find("Deployment web")?.id;
  expect(edges.filter(({ kind }) => kind === "custom:role")).toMatchObject([{ to: web, missing: false, fieldPaths: ["roleRef.name"] }]);
  // A path is no name; the name of a mount is one.
  expect(edges.filter(({ kind }) => kind === "custom:mount")).toEqual([]);
  // The cluster mounts a token into every pod, under a name of its own.
  const mounts = edges.filter(({ kind, to: id }) => kind === "custom:files" && !id.includes("kube-api-access"));
  const ghosts = new Set(mounts.map(({ to: id }) => id));
  expect(ghosts).toEqual(new Set(["apps/Deployment/shop/assets", "apps/Deployment/shop/data", "apps/Deployment/shop/files"]));
});

test("a slice is owned by its Service and labelled with it, and that is one edge with both reasons", async () => {
  const slices = (await cluster.everything()).get("discovery.k8s.io/endpointslices") ?? [];
  const services = (await cluster.everything()).get("/services") ?? [];
  for (const name of ["web", "db", "edge", "pending"]) {
    const service = services.find(({ metadata }) => metadata.name === name);
    const own = slices.filter(({ metadata }) => textAt(metadata.labels, "kubernetes.io/service-name") === name);
    expect(own).toHaveLength(1);
    const [slice] = own;
    expect(slice?.metadata.ownerReferences).toMatchObject([
      { apiVersion: "v1", kind: "Service", name, uid: service?.metadata.uid, controller: true },
    ]);
    const between = live.reader.picture.edges.filter(
      ({ from, to }) => from.endsWith(`/${slice?.metadata.name}`) && to === live.reader.find(`Service ${name}`)?.id,
    );
    expect(between).toMatchObject([{ kind: "slice-service", edgeClass: "owner", missing: false }]);
    expect(between[0]?.fieldPaths).toEqual(["metadata.labels[kubernetes.io/service-name]", "metadata.ownerReferences[0]"]);
  }
});

test("health and edges of an object are the same with and without what the API server fills in", async () => {
  const stored = [...(await cluster.everything()).values()].flat();
  const titleOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ""} ${metadata.name}`;
  const written = new Map((await cluster.written("20-cluster-scope.yaml", ...OBJECTS)).map((object) => [titleOf(object), object]));
  const bare = stored.map((object) => {
    const source = written.get(titleOf(object));
    return source ? asWritten(source, object) : object;
  });
  const [before, after] = [buildGraph(stored), buildGraph(bare)];
  expect(edgeLines(after)).toEqual(edgeLines(before));
  const now = new Date(clock.now());
  expect(healthOfAll(after, bare, now)).toEqual(healthOfAll(before, stored, now));
});

test("a rollout of a new image ends with new pods and an old ReplicaSet that is folded", async () => {
  await cluster.kubectl("set", "image", "deployment/web", "main=example/web:2");
  await cluster.until("Deployment web", rolledOut);
  const wanted: Statuses = { "Deployment web": "Healthy", "Pod web-*": "Healthy" };
  expect(await atRest(wanted)).toEqual(wanted);
  const sets = live.reader.picture.nodes.filter(({ ref }) => ref.kind === "ReplicaSet" && ref.name.startsWith("web-"));
  expect(sets.filter(({ superseded }) => superseded)).toHaveLength(1);
  expect(sets).toHaveLength(2);
  const pods = live.reader.picture.nodes.filter(({ ref }) => ref.kind === "Pod" && ref.name.startsWith("web-"));
  expect(pods.map(({ images }) => images)).toEqual(Array.from({ length: 3 }, () => ["example/prepare:1", "example/web:2"]));
});

test("an image that cannot be pulled makes its Deployment Degraded while the old pods still serve", async () => {
  await cluster.kubectl("set", "image", "deployment/web", "main=nosuch.invalid/web:3");
  await cluster.until("Deployment web", (object) => has(object, "Progressing", "False"));
  const wanted: Statuses = { "Deployment web": "Degraded", "Service web": "Healthy" };
  expect(await atRest(wanted)).toEqual(wanted);
  const causes = live.reader.picture.nodes.filter(({ health }) => health?.reason === "ImagePullBackOff").map(({ ref }) => ref.kind);
  expect(causes).toContain("Pod");
  await cluster.kubectl("rollout", "undo", "deployment/web");
  await cluster.until("Deployment web", rolledOut);
  const then: Statuses = { "Deployment web": "Healthy" };
  expect(await atRest(then)).toEqual(then);
});

test("every kind of trouble has its status", async () => {
  await cluster.apply("50-faults.yaml");
  const phase = (name: string) => (object: KubeObject) => textAt(fieldsAt(object, "status"), "phase") === name;
  await cluster.until("Pod needy", (object) => listAt(fieldsAt(object, "status"), "containerStatuses").length > 0);
  const waiting = { reason: "CreateContainerConfigError", message: 'configmap "not-there" not found' };
  const container = { name: "main", image: "example/needy:1", imageID: "", ready: false, restartCount: 0, state: { waiting } };
  await cluster.report("pod/needy", { containerStatuses: [container] });
  await cluster.report("widget/stuck", {
    observedGeneration: 1,
    conditions: [condition("Ready", "False", "CannotConnect"), condition("Stalled", "True", "CannotConnect")],
  });
  for (const name of ["crashing", "hungry", "huge"])
    await cluster.until(`Deployment ${name}`, (object) => has(object, "Available", "False"));
  await cluster.until("Deployment unready", (object) => has(object, "Progressing", "False"));
  await cluster.until("Deployment many", (object) => has(object, "ReplicaFailure", "True"));
  await cluster.until("Job failing", (object) => has(object, "Failed", "True"));
  await cluster.until("Pod evicted", phase("Failed"));
  const wanted: Statuses = {
    "Deployment crashing": "Degraded",
    "Pod crashing-*": "Degraded",
    "Deployment hungry": "Degraded",
    "Pod hungry-*": "Degraded",
    "Deployment unready": "Degraded",
    "Pod unready-*": "Progressing",
    "Deployment huge": "Progressing",
    "Pod huge-*": "Progressing",
    "Deployment many": "Degraded",
    "Pod needy": "Degraded",
    "ConfigMap not-there": "Missing",
    "Pod evicted": "Degraded",
    "Job failing": "Degraded",
    "PersistentVolumeClaim homeless": "Progressing",
    "Service not-there": "Missing",
    "Widget stuck": "Degraded",
  };
  expect(await atRest(wanted)).toEqual(wanted);
  expect(live.reader.find("Pod huge-*")?.health?.words).toContain("Insufficient cpu");
  expect(live.reader.picture.health?.status).toBe("Degraded");
});

test("what waits for longer than it should becomes worse by time alone", async () => {
  await clock.skip(6 * MINUTE_MS);
  const wanted: Statuses = { "Pod huge-*": "Degraded", "Deployment huge": "Degraded", "Pod unready-*": "Progressing" };
  expect(await atRest(wanted)).toEqual(wanted);
});

test("when the trouble is deleted nothing of it is left", async () => {
  const kinds = "deployment,pod,job,persistentvolumeclaim,ingress,widget";
  await cluster.kubectl("delete", kinds, "--selector", "trouble=true", "--wait");
  await cluster.gone("Pod", "app in (crashing,hungry,unready,huge,many)");
  await cluster.gone("Pod", "bench.kas/fault");
  const wanted: Statuses = {
    "ConfigMap not-there": "gone",
    "Service not-there": "gone",
    "Deployment crashing": "gone",
    "Pod huge-*": "gone",
  };
  expect(await atRest(wanted)).toEqual(wanted);
});

test("controllers report the status of custom resources; without a status subresource it is unknown", async () => {
  const well = [condition("Ready", "True", "Fine")];
  await cluster.report("widget/big", { observedGeneration: 1, conditions: well });
  await cluster.report("certificate/web", { conditions: well });
  await cluster.report("certificate/mail", { conditions: [condition("Ready", "False", "IssuerFailed")] });
  await cluster.report("gateway/front", {
    conditions: [condition("Accepted", "True", "Accepted"), condition("Programmed", "False", "Invalid")],
  });
  const wanted: Statuses = {
    "Widget big": "Healthy",
    "Certificate web": "Healthy",
    "Certificate mail": "Degraded",
    "Gateway front": "Degraded",
    "Kustomization shop": "Healthy",
    "Issuer own": "Progressing",
    "Gauge heat": "none",
  };
  expect(await atRest(wanted)).toEqual(wanted);
});

test("workloads follow their scale up, down and to nothing", async () => {
  for (const replicas of [5, 1, 0, 3]) {
    await cluster.kubectl("scale", "deployment/web", `--replicas=${replicas}`);
    await cluster.until("Deployment web", rolledOut);
    if (replicas === 1) continue;
    const wanted: Statuses = { "Deployment web": "Healthy" };
    expect(await atRest(wanted)).toEqual(wanted);
    expect(live.reader.find("Deployment web")).toMatchObject({ ready: replicas, wanted: replicas });
  }
});

test("an object that is created again under its name is another one", async () => {
  const titles = ["Pod single", "ConfigMap web-settings", "Service web"];
  const numbers = (): unknown[] => titles.map((title) => live.reader.numberOf(live.reader.find(title)?.id ?? ""));
  const before = numbers();
  await cluster.kubectl("delete", "pod/single", "configmap/web-settings", "service/web", "--wait");
  await cluster.apply(...OBJECTS);
  await cluster.until("Pod single", (object) => has(object, "Ready", "True"));
  await cluster.until("Deployment web", rolledOut);
  const wanted: Statuses = { "Pod single": "Healthy", "ConfigMap web-settings": "none", "Service web": "Healthy" };
  expect(await atRest(wanted)).toEqual(wanted);
  expect(numbers()).not.toContain(undefined);
  expect(numbers().filter((number) => before.includes(number))).toEqual([]);
  const renewed = live.reader.find("ConfigMap web-settings")?.id;
  const settings = live.reader.picture.edges.filter(({ to, kind }) => to === renewed && kind === "pod-cm");
  expect(settings).toHaveLength(3);
});

test("a kind that is defined later joins without a restart, and leaves with its definition", async () => {
  await cluster.apply("60-late-kind.yaml");
  await cluster.served();
  await cluster.apply("61-late-object.yaml");
  await clock.skip(MINUTE_MS);
  const wanted: Statuses = { "Gadget latecomer": "Progressing" };
  expect(await atRest(wanted)).toEqual(wanted);
  await cluster.report("gadget/latecomer", { observedGeneration: 1, conditions: [condition("Ready", "True", "Fine")] });
  const then: Statuses = { "Gadget latecomer": "Healthy" };
  expect(await atRest(then)).toEqual(then);
  await cluster.kubectl("delete", "crd/gadgets.late.example.com", "--wait");
  await clock.skip(MINUTE_MS);
  const last: Statuses = { "Gadget latecomer": "gone" };
  expect(await atRest(last)).toEqual(last);
});

test("what an owner leaves behind is collected, or lives on alone", async () => {
  await cluster.kubectl("delete", "deployment/bare", "service/edge", "--wait");
  await cluster.kubectl("delete", "replicaset/alone", "--cascade=orphan", "--wait");
  await cluster.gone("ReplicaSet", "app=bare");
  await cluster.gone("Pod", "app=bare");
  await cluster.gone("EndpointSlice", "kubernetes.io/service-name=edge");
  const wanted: Statuses = {
    "ReplicaSet bare-*": "gone",
    "Pod bare-*": "gone",
    "EndpointSlice edge-*": "gone",
    "ReplicaSet alone": "gone",
    "Pod alone-*": "Healthy",
  };
  expect(await atRest(wanted)).toEqual(wanted);
  expect(live.reader.find("Pod alone-*")?.ownerId).toBe("");
});
