import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "./environment-view.ts";
import { FakeCluster, kindOf } from "./fake-cluster.ts";
import type { HealthRules, RuleAnswer } from "./health-rules.ts";
import type { ViewNode } from "./view-model.ts";

const WIDGETS = kindOf("example.com/v1/widgets/Widget");

/** Answers for Widgets: first nothing, and after `answer` the same for all of them. */
class SlowRules implements HealthRules {
  result: HealthResult | null | undefined;
  enabled = true;
  readonly #listeners = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];

  lookup(object: KubeObject): RuleAnswer {
    const rule = { source: "argocd-cm argocd/argocd-cm" };
    if (object.kind !== "Widget" || !this.enabled) return { kind: "none" };
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
const nodes = new Map<string, ViewNode>();

beforeEach(async () => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster([WIDGETS]);
  rules = new SlowRules();
  stop = new AbortController();
  nodes.clear();
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, rules, clock, random: () => 0 });
  cluster.put("example.com/widgets", {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w" },
    status: { conditions: [{ type: "Ready", status: "False", reason: "Broken" }] },
  });
  ended = view.run(stop.signal);
  const subscription = view.open(() => {
    const message = subscription.take();
    for (const node of message?.kind === "snapshot" ? message.nodes : (message?.upsertedNodes ?? [])) nodes.set(node.ref.name, node);
  });
  await clock.elapse(1_000);
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
  if (rules.listeners > 0) throw new Error("the view still listens to its rules");
});

function result(status: HealthResult["status"]): HealthResult {
  return { status, reason: "Said", message: "the script says so", stale: false, causes: [] };
}

describe("rules of users", () => {
  test("an object whose rule is still being evaluated has no health yet", () => {
    expect(nodes.get("w")).toMatchObject({ presence: "present" });
    expect(nodes.get("w")?.health).toBeUndefined();
  });

  test("what the rule says wins over the built-in rule, and the node says whose word it is", async () => {
    rules.answer(result("Suspended"));
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toMatchObject({ status: "Suspended", reason: "Said", rule: "argocd-cm argocd/argocd-cm" });
  });

  test("a rule without an opinion leaves the object without health", async () => {
    rules.answer(null);
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toBeUndefined();
  });

  test("when rules change everything is judged anew", async () => {
    rules.answer(result("Healthy"));
    await clock.elapse(500);
    rules.enabled = false;
    rules.change();
    await clock.elapse(500);
    expect(nodes.get("w")?.health).toMatchObject({ status: "Degraded", reason: "Broken", rule: "" });
  });
});
