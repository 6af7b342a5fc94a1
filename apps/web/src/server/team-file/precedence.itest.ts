import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { HealthStatus } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema, type WebConfig } from "../config/config.ts";
import type { DashboardTab } from "../testing/dashboard-tab.ts";
import { DashboardWorld } from "../testing/dashboard-world.ts";
import { HurriedClock } from "../testing/hurried-clock.ts";

const FROM = { group: "keda.sh", kind: "ScaledObject" };
const TO = { group: "apps", kind: "Deployment" };
/** Each says another thing of the Deployment `web`, and, of the same id, to where the ScaledObject leads. */
const TEAM = `edges:
  - { id: target, from: { group: keda.sh, kind: ScaledObject }, class: target, path: "$.spec.team", to: { group: apps, kind: Deployment } }
health:
  resourceCustomizations:
    apps/Deployment:
      health.lua: return { status = "Suspended", message = "of the team" }
`;
const OPERATOR = `healthCheckExprs: [{ apiVersion: apps/v1, kind: Deployment, failed: "true", current: "false" }]\n`;
const ARGO = { "resource.customizations.health.apps_Deployment": 'return { status = "Progressing", message = "of Argo CD" }' };
const FLUX = [{ apiVersion: "apps/v1", kind: "Deployment", current: "true" }];

let world: DashboardWorld;
let clock: HurriedClock;
let folder: string;
beforeEach(async () => {
  clock = new HurriedClock();
  folder = mkdtempSync(join(tmpdir(), "binnacle-precedence-"));
  writeFileSync(join(folder, "rules.yaml"), OPERATOR);
  world = await DashboardWorld.open();
  world.main.teamFile = TEAM;
  const { kas } = world;
  kas.kinds.push({ group: "keda.sh", resource: "scaledobjects", kind: "ScaledObject" });
  const template = { spec: { containers: [{ name: "c", image: "i", envFrom: [{ secretRef: { name: "keys" } }] }] } };
  const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }];
  put("deployments", { apiVersion: "apps/v1", kind: "Deployment", name: "web", spec: { replicas: 1, template }, status: { conditions } });
  const spec = { team: "of-team", operator: "of-operator", scaleTargetRef: { name: "of-pack" } };
  put("scaledobjects", { apiVersion: "keda.sh/v1", kind: "ScaledObject", name: "scaler", spec });
  put("configmaps", { apiVersion: "v1", kind: "ConfigMap", name: "argocd-cm", namespace: "argocd", data: ARGO });
  const kustomization = { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", name: "apps" };
  put("kustomizations", { ...kustomization, spec: { healthCheckExprs: FLUX } });
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

function put(
  resource: string,
  { name, namespace = "prod", ...object }: Record<string, unknown> & { name: string; namespace?: string },
): void {
  const metadata = { name, namespace };
  world.kas.put(resource, { ...object, metadata });
}

/** The operator's files, with what is still in them. */
function configured({ rules, edges, keda }: { rules: boolean; edges: boolean; keda: boolean }): Partial<WebConfig> {
  const custom_edges = edges ? [{ id: "target", from: FROM, class: "target", path: "$.spec.operator", to: TO }] : [];
  return {
    health_rules: webConfigSchema.shape.health_rules.parse(rules ? { file: join(folder, "rules.yaml") } : {}),
    graph: webConfigSchema.shape.graph.parse({ custom_edges, packs: { keda } }),
  };
}

/** What the page has of the Deployment's health, whose word that is, and the lines from the ScaledObject. */
function seen(tab: DashboardTab): { readonly health: HealthStatus | undefined; readonly by: string | undefined; readonly lines: string[] } {
  const health = tab.named("web")?.health;
  const scaler = tab.named("scaler")?.id;
  const lines = [...tab.edges.values()].filter(({ from }) => from === scaler);
  return {
    health: health?.status,
    by: health?.rule,
    lines: lines.map(({ kind, to }) => `${kind} ${tab.nodes.get(to)?.ref?.name}`),
  };
}

async function expectSeen(tab: DashboardTab, expected: { health: HealthStatus; by: RegExp; lines: string[] }): Promise<void> {
  const isRight = (): boolean => {
    const now = seen(tab);
    return (
      tab.isComplete() && now.health === expected.health && expected.by.test(now.by ?? "") && now.lines.join() === expected.lines.join()
    );
  };
  await tab.until(isRight).catch(() => undefined);
  expect(seen(tab)).toEqual({ ...expected, by: expect.stringMatching(expected.by) });
  // What is built in is drawn at every level.
  expect([...tab.edges.values()].some(({ to }) => tab.nodes.get(to)?.ref?.name === "keys")).toBe(true);
}

test("team > operator's files > cluster's > packs > built-in: what is taken away leaves its place to the next", async () => {
  const all = { rules: true, edges: true, keda: true };
  world.start(clock, configured(all));
  const tab = world.anotherTab(world.signal);
  const ofTeam = { health: HealthStatus.SUSPENDED, by: /binnacle\.yaml/, lines: ["custom:target of-team"] };
  await expectSeen(tab, ofTeam);

  world.main.teamFile = undefined;
  clock.skip(31_000);
  const ofOperator = { health: HealthStatus.DEGRADED, by: /rules\.yaml/, lines: ["custom:target of-operator"] };
  await expectSeen(tab, ofOperator);

  const ofArgo = { health: HealthStatus.PROGRESSING, by: /argocd-cm/, lines: ["keda:target of-pack"] };
  const withoutOperator = await restarted({ ...all, rules: false, edges: false });
  await expectSeen(withoutOperator, ofArgo);

  world.kas.objects.delete("configmaps/argocd-cm");
  clock.skip(61_000);
  const ofFlux = { health: HealthStatus.HEALTHY, by: /^Kustomization prod\/apps/, lines: ["keda:target of-pack"] };
  await expectSeen(withoutOperator, ofFlux);

  world.kas.objects.delete("kustomizations/apps");
  const builtIn = await restarted({ rules: false, edges: false, keda: false });
  await expectSeen(builtIn, { health: HealthStatus.DEGRADED, by: /^$/, lines: [] });
});

async function restarted(what: Parameters<typeof configured>[0]): Promise<DashboardTab> {
  await world.bff.close();
  world.start(clock, configured(what));
  return world.anotherTab(world.signal);
}

test("the team's word stays the first when each of the others is there or not", async () => {
  for (const what of [
    { rules: true, edges: false, keda: true },
    { rules: false, edges: true, keda: false },
  ]) {
    world.start(clock, configured(what));
    await expectSeen(world.anotherTab(world.signal), {
      health: HealthStatus.SUSPENDED,
      by: /binnacle\.yaml/,
      lines: ["custom:target of-team"],
    });
    await world.bff.close();
  }
});
