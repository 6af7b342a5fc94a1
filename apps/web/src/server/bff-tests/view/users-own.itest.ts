import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { HealthStatus } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema } from "../../config/config.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open();
  world.kas.put("deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", annotations: { "example.com/queue": "orders" } },
    spec: { replicas: 0, template: { spec: { containers: [{ name: "c", image: "i", args: ["--settings=shop"] }] } } },
  });
});
afterEach(() => world.close());

test("a rule in health_rules.file decides, and reads also what views do not keep of other objects", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-rules-")), "rules.yaml");
  const failed = "spec.template.spec.containers[0].args[0] == '--settings=shop'";
  writeFileSync(file, `healthCheckExprs: [{ apiVersion: apps/v1, kind: Deployment, failed: "${failed}", current: "true" }]\n`);
  const tab = world.tab({ health_rules: webConfigSchema.shape.health_rules.parse({ file }) });
  await tab.until((now) => [...now.nodes.values()].some(({ health }) => health?.status === HealthStatus.DEGRADED));
  expect([...tab.nodes.values()].map(({ health }) => health?.rule)).toEqual([expect.stringContaining("rules.yaml")]);
});

test("an edge in graph.custom_edges is drawn, to what is there and to what is missing", async () => {
  world.kas.put("secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "c" } });
  const from = { group: "apps", kind: "Deployment" };
  const edges = [
    { id: "own", from, class: "mount", path: "$.spec.template.spec.containers[*].name", to: { group: "", kind: "Secret" } },
    { id: "queue", from, class: "target", path: "$.metadata.annotations['example.com/queue']", to: { group: "", kind: "Pod" } },
  ];
  const tab = world.tab({ graph: webConfigSchema.shape.graph.parse({ custom_edges: edges }) });
  await tab.until((now) => now.edges.size === 2 && now.isComplete());
  const drawn = new Map([...tab.edges.values()].map(({ kind, to, missing }) => [kind, [tab.nodes.get(to)?.ref?.name, missing]]));
  expect(drawn.get("custom:own")).toEqual(["c", false]);
  expect(drawn.get("custom:queue")).toEqual(["orders", true]);
});
