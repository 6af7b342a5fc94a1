import type { CustomEdgeRule } from "@binnacle/graph";
import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { quoted } from "@binnacle/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import type { HealthRules, RuleAnswer } from "../scope/health-rules.ts";
import { ScopePicture } from "./scope-picture.ts";
import type { HealthScript, ScopeRules } from "../scope/scope-rules.ts";

const KINDS = ["/v1/pods/Pod", "/v1/configmaps/ConfigMap", "apps/v1/deployments/Deployment", "example.com/v1/widgets/Widget"].map(kindOf);
const WIDGETS = { group: "example.com", kind: "Widget" };

/** Says of all objects of some kinds the same, at once. */
class SayingRules implements HealthRules {
  readonly evaluated: KubeObject[] = [];
  readonly #source: string;
  readonly #words: ReadonlyMap<string, HealthResult["status"]>;
  readonly #listeners = new Set<() => void>();

  constructor(source: string, says: Readonly<Record<string, HealthResult["status"]>>) {
    this.#source = source;
    this.#words = new Map(Object.entries(says));
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  ruleFor(_apiVersion: string, kind: string): { readonly source: string } | undefined {
    return this.#words.has(kind) ? { source: this.#source } : undefined;
  }

  lookup(object: KubeObject): RuleAnswer {
    const status = this.#words.get(object.kind);
    if (status === undefined) return { kind: "none" };
    this.evaluated.push(object);
    const result = { status, reason: "ByRule", message: quoted("it says so"), stale: false, causes: [] };
    return { kind: "known", result, rule: { source: this.#source } };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const NO_RULES: ScopeRules = { id: "none", edges: [], health: [], hidden: [], ignored: [] };

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<void>;
let opened: Map<string, SayingRules>;
let closed: string[];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS, { streams: true });
  stop = new AbortController();
  opened = new Map();
  closed = [];
  cluster.put("example.com/widgets", widget("w", "False"));
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } });
  const template = { spec: { containers: [{ name: "c", image: "i", command: ["w"] }] } };
  cluster.put("apps/deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { replicas: 0, template } });
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
  cluster.assertIdle();
  if (closed.length !== opened.size || new Set(closed).size !== opened.size) throw new Error("not all rules were closed once");
  for (const { listeners } of opened.values()) if (listeners > 0) throw new Error("rules still have a listener");
});

function widget(name: string, ready: string): KubeObject {
  const status = { conditions: [{ type: "Ready", status: ready, reason: "Broken" }] };
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, status };
}

/** @param says what scripts of a set say, by the text of the first of them, as `Kind=Status` */
function start(options: { readonly rules?: HealthRules; readonly customEdges?: readonly CustomEdgeRule[] } = {}): ClusterView {
  const openHealthRules = ({ id, health }: ScopeRules) => {
    const rules = new SayingRules(`team ${id}`, Object.fromEntries(health.map(({ text }) => text.split("="))));
    opened.set(id, rules);
    return { rules, close: () => void closed.push(id) };
  };
  const view = new ClusterView({ client: cluster, clock, random: () => 0, openHealthRules, ...options });
  ended = view.run(stop.signal);
  return view;
}

function says(text: string): HealthScript {
  return { engine: "lua", source: "here", pattern: "*", text, hash: text };
}

function open(view: ClusterView, rules?: Partial<ScopeRules> & { readonly id: string }): ScopePicture {
  const scope = view.openScope({ namespaces: ["app"], ...(rules === undefined ? {} : { rules: { ...NO_RULES, ...rules } }) });
  return new ScopePicture(scope);
}

function edge(id: string, path: string): CustomEdgeRule {
  return { id, from: { group: "apps", kind: "Deployment" }, class: "target", path, to: WIDGETS };
}

function healthOf(picture: ScopePicture, name: string) {
  return [...picture.nodes.values()].find(({ ref }) => ref.name === name)?.health;
}

function edgesOf(picture: ScopePicture): string[] {
  return [...picture.edges.values()].map(({ kind }) => kind).filter((kind) => kind.startsWith("custom:"));
}

function countOf(picture: ScopePicture): number {
  return Object.values(picture.health?.counts ?? {}).reduce((sum, count) => sum + count, 0);
}

describe("two scopes of one namespace under contrary rules", () => {
  test("have their own health, edges, kinds and roll-up, of objects that are watched once", async () => {
    const view = start();
    const plain = open(view);
    await clock.elapse(5_000);
    const watches = cluster.openWatches();
    const command = "$.spec.template.spec.containers[*].command[0]";
    const a = open(view, { id: "a", health: [says("Widget=Healthy")], edges: [edge("runs", command)], hidden: ["ConfigMap"] });
    const b = open(view, { id: "b", health: [says("Widget=Suspended")], ignored: ["example.com/Widget"] });
    await clock.elapse(5_000);
    expect([plain, a, b].map((picture) => healthOf(picture, "w")?.status)).toEqual(["Degraded", "Healthy", "Suspended"]);
    expect([plain, a, b].map((picture) => healthOf(picture, "w")?.rule)).toEqual(["", "team a", "team b"]);
    expect([plain, a, b].map(edgesOf)).toEqual([[], ["custom:runs"], []]);
    expect([plain, a, b].map((picture) => picture.names())).toEqual([
      ["c", "d", "w"],
      ["d", "w"],
      ["c", "d", "w"],
    ]);
    expect([plain, a, b].map((picture) => picture.health?.status)).toEqual(["Degraded", "Healthy", "Healthy"]);
    expect(cluster.openWatches()).toBe(watches);
  });

  test("a change of one of them, and its end, is nothing to the other", async () => {
    const view = start();
    const a = open(view, { id: "a", hidden: ["example.com/Widget"] });
    const scope = view.openScope({ namespaces: ["app"], rules: { ...NO_RULES, id: "b", health: [says("Widget=Healthy")] } });
    await clock.elapse(5_000);
    scope.close();
    expect(closed).toEqual(["b"]);
    cluster.put("example.com/widgets", widget("v", "False"));
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c2" } });
    await clock.elapse(5_000);
    expect(a.names()).toEqual(["c", "c2", "d"]);
  });

  test("a hundred sets of rules cost the requests of one", async () => {
    const view = start();
    open(view);
    await clock.elapse(5_000);
    const [requests, watches] = [cluster.requests.length, cluster.openWatches()];
    const pictures = Array.from({ length: 100 }, (_, at) => open(view, { id: `set-${at}`, health: [says("Widget=Suspended")] }));
    await clock.elapse(200);
    expect(pictures.map((picture) => healthOf(picture, "w")?.rule)).toEqual(pictures.map((_, at) => `team set-${at}`));
    expect([cluster.requests.length, cluster.openWatches()]).toEqual([requests, watches]);
  });
});

describe("the rules of a scope win", () => {
  test("health: over those of the operator and of the cluster, whose word holds for other kinds", async () => {
    const view = start({ rules: new SayingRules("file operator", { Widget: "Missing", ConfigMap: "Missing" }) });
    const picture = open(view, { id: "a", health: [says("Widget=Healthy")] });
    await clock.elapse(5_000);
    expect(healthOf(picture, "w")).toMatchObject({ status: "Healthy", rule: "team a" });
    expect(healthOf(picture, "c")).toMatchObject({ status: "Missing", rule: "file operator" });
  });

  test("edges: over those of the operator and of packs with the same id; others stay", async () => {
    const customEdges = [edge("runs", "$.spec.other"), { ...edge("packed", "$.spec.other"), pack: "p" }, edge("stays", "$.metadata.name")];
    const view = start({ customEdges });
    const command = "$.spec.template.spec.containers[*].command[0]";
    const picture = open(view, { id: "a", edges: [edge("runs", command), edge("packed", command)] });
    const plain = open(view);
    await clock.elapse(5_000);
    expect(edgesOf(picture).toSorted()).toEqual(["custom:packed", "custom:runs", "custom:stays"]);
    expect(edgesOf(plain)).toEqual(["custom:stays"]);
  });
});

test("what only the rules of one scope read is read once more when it opens, whole", async () => {
  const view = start();
  open(view);
  await clock.elapse(5_000);
  const before = cluster.places.filter((place) => /deployments/.test(place)).length;
  const scope = view.openScope({ namespaces: ["app"], rules: { ...NO_RULES, id: "a", health: [says("Deployment=Suspended")] } });
  const picture = new ScopePicture(scope);
  await clock.elapse(5_000);
  expect(healthOf(picture, "d")?.status).toBe("Suspended");
  expect(opened.get("a")?.evaluated[0]).toMatchObject({ spec: { template: { spec: { containers: [{ command: ["w"] }] } } } });
  const after = cluster.places.filter((place) => /deployments/.test(place)).length;
  expect(after).toBe(before + 1);
  expect(cluster.places.slice(-1)[0]).toContain("deployments");
});

test("a kind that does not count is shown with its own health, and is in no number of the roll-up", async () => {
  const view = start();
  const [plain, ignoring] = [open(view), open(view, { id: "a", ignored: ["example.com/Widget"] })];
  await clock.elapse(5_000);
  expect(healthOf(ignoring, "w")?.status).toBe("Degraded");
  expect([plain.health?.status, ignoring.health?.status]).toEqual(["Degraded", "Healthy"]);
  expect(countOf(plain) - countOf(ignoring)).toBe(1);
  expect([plain.health?.issues.length, ignoring.health?.issues.length]).toEqual([1, 0]);
});

test("what a hidden kind owns stands for itself, and nothing below it reveals what is hidden", async () => {
  const stored = cluster.put("example.com/widgets", widget("owner", "True"));
  const uid = stored.metadata.uid ?? "";
  const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Widget", name: "owner", uid, controller: true }];
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned", ownerReferences } });
  const picture = open(start(), { id: "a", hidden: ["example.com/Widget"] });
  await clock.elapse(5_000);
  expect(picture.names()).toEqual(["c", "d", "owned"]);
  expect([...picture.nodes.values()].map(({ ownerId }) => ownerId)).toEqual(["", "", ""]);
});

test("a hidden kind that may not be read is no gap of the roll-up", async () => {
  const view = start();
  // Something visible refers to one: only then does a custom kind that may not be read count.
  const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Widget", name: "owner", uid: "u", controller: true }];
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned", ownerReferences } });
  cluster.forbidden.add("example.com/widgets");
  const [plain, hiding] = [open(view), open(view, { id: "a", hidden: ["example.com/Widget"] })];
  await clock.elapse(5_000);
  expect([plain.health?.hidden, hiding.health?.hidden]).toEqual([["widgets.example.com"], []]);
});
