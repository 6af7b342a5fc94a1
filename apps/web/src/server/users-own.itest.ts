import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { HealthStatus } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "./bff.ts";
import { webConfigSchema, type WebConfig } from "./config.ts";
import { dashboardClient, DashboardTab, ORIGIN } from "./testing/dashboard-tab.ts";
import { standInConfig } from "./testing/stand-in-config.ts";
import { StandInKas } from "./testing/stand-in-kas.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let config: WebConfig;
let leave: AbortController;

beforeEach(async () => {
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  main.sessions.set("session-maintainer", "maintainer");
  kas.allowed.add("maintainer");
  config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  leave = new AbortController();
  kas.put("deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", annotations: { "example.com/queue": "orders" } } as { name: string },
    spec: { replicas: 0, template: { spec: { containers: [{ name: "c", image: "i", args: ["--settings=shop"] }] } } },
  });
});

afterEach(async () => {
  leave.abort();
  await bff.close();
  await kas.close();
  await main.close();
});

function open(changed: Partial<WebConfig>): DashboardTab {
  bff = createBff({
    config: { ...config, ...changed },
    clock: systemClock,
    log: createLogger("web", "silent"),
    metrics: { refused: () => undefined },
  });
  return new DashboardTab(dashboardClient(bff, { origin: ORIGIN, cookie: "_gitlab_session=session-maintainer" }), leave.signal);
}

test("a rule in health_rules.file decides, and reads also what views do not keep of other objects", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-rules-")), "rules.yaml");
  const failed = "spec.template.spec.containers[0].args[0] == '--settings=shop'";
  writeFileSync(file, `healthCheckExprs: [{ apiVersion: apps/v1, kind: Deployment, failed: "${failed}", current: "true" }]\n`);
  const tab = open({ health_rules: webConfigSchema.shape.health_rules.parse({ file }) });
  await tab.until((now) => [...now.nodes.values()].some(({ health }) => health?.status === HealthStatus.DEGRADED));
  expect([...tab.nodes.values()].map(({ health }) => health?.rule)).toEqual([expect.stringContaining("rules.yaml")]);
});

test("an edge in graph.custom_edges is drawn, to what is there and to what is missing", async () => {
  kas.put("secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: "c" } });
  const from = { group: "apps", kind: "Deployment" };
  const edges = [
    { id: "own", from, class: "mount", path: "$.spec.template.spec.containers[*].name", to: { group: "", kind: "Secret" } },
    { id: "queue", from, class: "target", path: "$.metadata.annotations['example.com/queue']", to: { group: "", kind: "Pod" } },
  ];
  const tab = open({ graph: webConfigSchema.shape.graph.parse({ custom_edges: edges }) });
  await tab.until((now) => now.edges.size === 2 && now.isComplete());
  const drawn = new Map([...tab.edges.values()].map(({ kind, to, missing }) => [kind, [tab.nodes.get(to)?.ref?.name, missing]]));
  expect(drawn.get("custom:own")).toEqual(["c", false]);
  expect(drawn.get("custom:queue")).toEqual(["orders", true]);
});
