import type { CustomEdgeRule } from "@binnacle/graph";
import type { HealthResult } from "@binnacle/health";
import { quoted } from "@binnacle/words";
import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import type { HealthRules, RuleAnswer } from "../scope/health-rules.ts";
import { textsOf, type NodeTexts } from "../stream/view-reader.ts";

const WIDGETS = kindOf("example.com/v1/widgets/Widget");
const DEPLOYMENTS = kindOf("apps/v1/deployments/Deployment");
/** Views keep no commands of containers. */
const SPEC = { replicas: 0, template: { spec: { containers: [{ name: "c", image: "i", command: ["run"] }] } } };

/** Answers for some kinds: first nothing, and after `answer` the same for all of them. */
class SlowRules implements HealthRules {
  result: HealthResult | null | undefined;
  readonly kinds = new Set(["Widget"]);
  readonly evaluated: KubeObject[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];

  ruleFor(_apiVersion: string, kind: string): { readonly source: string } | undefined {
    return this.kinds.has(kind) ? { source: "argocd-cm argocd/argocd-cm" } : undefined;
  }

  lookup(object: KubeObject): RuleAnswer {
    const rule = this.ruleFor(object.apiVersion, object.kind);
    if (rule === undefined) return { kind: "none" };
    this.evaluated.push(object);
    if (this.result !== undefined) return { kind: "known", result: this.result, rule };
    return { kind: "pending", settled: new Promise((resolve) => this.#waiting.push(resolve)), rule };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  answer(result: HealthResult | null): void {
    this.result = result;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  change(): void {
    for (const listener of this.#listeners) listener();
  }
}

let clock: ManualClock;
let cluster: FakeCluster;
let rules: SlowRules;
let stop: AbortController;
let ended: Promise<void>;
const nodes = new Map<string, NodeTexts>();

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster([WIDGETS, DEPLOYMENTS]);
  rules = new SlowRules();
  stop = new AbortController();
  nodes.clear();
  cluster.put("example.com/widgets", {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w" },
    status: { conditions: [{ type: "Ready", status: "False", reason: "Broken" }] },
  });
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
  if (rules.listeners > 0) throw new Error("the view still listens to its rules");
});

async function start(customEdges: readonly CustomEdgeRule[] = []): Promise<void> {
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, rules, customEdges, clock, random: () => 0 });
  ended = view.run(stop.signal);
  const subscription = view.open(() => {
    const message = subscription.take();
    for (const node of message?.kind === "snapshot" ? message.nodes : (message?.upsertedNodes ?? []))
      nodes.set(node.ref?.name ?? "", textsOf(node));
  });
  await clock.elapse(1_000);
}

function result(status: HealthResult["status"]): HealthResult {
  return { status, reason: "ByRule", message: quoted("the script says so"), stale: false, causes: [] };
}

describe("rules of users", () => {
  test("an object whose rule is still being evaluated has no health yet", async () => {
    await start();
    expect(nodes.get("w")).toMatchObject({ presence: "present" });
    expect(nodes.get("w")?.health).toBeUndefined();
  });

  test("what the rule says wins over the built-in rule, and the node says whose word it is", async () => {
    await start();
    rules.answer(result("Suspended"));
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toMatchObject({ status: "Suspended", reason: "ByRule", rule: "argocd-cm argocd/argocd-cm" });
  });

  test("a rule without an opinion leaves the object without health", async () => {
    await start();
    rules.answer(null);
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toBeUndefined();
  });

  test("when rules change everything is judged anew", async () => {
    await start();
    rules.answer(result("Healthy"));
    await clock.elapse(500);
    rules.kinds.clear();
    rules.change();
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toMatchObject({ status: "Degraded", reason: "Broken", rule: "" });
  });
});

describe("what users' rules may read", () => {
  const evaluatedOf = (kind: string): unknown[] => rules.evaluated.filter((object) => object.kind === kind).map((object) => object["spec"]);

  beforeEach(() => {
    cluster.put("apps/deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace: "app" }, spec: SPEC });
    rules.result = result("Suspended");
  });

  test("is whole from the start where the rule is there from the start", async () => {
    rules.kinds.add("Deployment");
    await start();
    expect(nodes.get("d")?.health?.status).toBe("Suspended");
    expect(evaluatedOf("Deployment")[0]).toEqual(SPEC);
    expect(cluster.count("list apps/deployments")).toBe(1);
  });

  test("is read again when a rule comes later, which is never evaluated on a part of it", async () => {
    await start();
    expect(nodes.get("d")?.health?.rule).toBe("");
    rules.kinds.add("Deployment");
    cluster.clock = clock;
    cluster.slowMs = 2_000;
    rules.change();
    await clock.elapse(500);
    // The result of the rule is not known yet: the last one still holds.
    expect(nodes.get("d")?.health?.rule).toBe("");
    await clock.elapse(5_000);
    expect(nodes.get("d")?.health).toMatchObject({ status: "Suspended", rule: "argocd-cm argocd/argocd-cm" });
    expect(evaluatedOf("Deployment")[0]).toEqual(SPEC);
    expect(cluster.count("list example.com/widgets")).toBe(1);
  });

  test("is trimmed where no rule reads it", async () => {
    await start();
    rules.change();
    await clock.elapse(500);
    expect(cluster.count("list apps/deployments")).toBe(1);
    expect(evaluatedOf("Deployment")).toEqual([]);
  });

  test("includes what an edge of a user starts from", async () => {
    const to = { group: "example.com", kind: "Widget" };
    const path = "$.spec.template.spec.containers[*].command[0]";
    await start([{ id: "runs", from: { group: "apps", kind: "Deployment" }, class: "target", path, to }]);
    expect(nodes.get("run")).toMatchObject({ presence: "missing", ref: { kind: "Widget" } });
  });
});
