import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { HealthStatus } from "@binnacle/proto/dashboard";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema, type WebConfig } from "../../config/config.ts";
import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

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

/** Whose word a rule is, by where it says that it stands. */
const LEVELS = [
  ["team", ".gitlab/binnacle.yaml"],
  ["operator", "rules.yaml"],
  ["Argo CD", "argocd-cm"],
  ["Flux", "Kustomization prod/apps"],
] as const;

interface Seen {
  readonly health: HealthStatus | undefined;
  readonly by: string | undefined;
  /** From the ScaledObject. */
  readonly lines: readonly string[];
  /** Whether what is built in is drawn as well. */
  readonly secret: boolean;
}

function seen(tab: DashboardTab): Seen {
  const health = tab.named("web")?.health;
  const nameOf = (id: number): string | undefined => tab.nodes.get(id)?.ref?.name;
  const edges = [...tab.edges.values()];
  const lines = edges.filter(({ from }) => nameOf(from) === "scaler").map(({ kind, to }) => `${kind} ${nameOf(to)}`);
  const by = LEVELS.find(([, place]) => health?.rule.includes(place))?.[0] ?? health?.rule;
  return { health: health?.status, by, lines, secret: edges.some(({ to }) => nameOf(to) === "keys") };
}

/** What is seen once it is what was expected; when it never is, the test is over. */
async function reaching(tab: DashboardTab, expected: Seen): Promise<Seen> {
  await tab.until(() => tab.isComplete() && isDeepStrictEqual(seen(tab), expected));
  return seen(tab);
}

const OF_TEAM = { health: HealthStatus.SUSPENDED, by: "team", lines: ["custom:target of-team"], secret: true };
const OF_OPERATOR = { health: HealthStatus.DEGRADED, by: "operator", lines: ["custom:target of-operator"], secret: true };
const OF_ARGO = { health: HealthStatus.PROGRESSING, by: "Argo CD", lines: ["keda:target of-pack"], secret: true };
const OF_FLUX = { ...OF_ARGO, health: HealthStatus.HEALTHY, by: "Flux" };
const BUILT_IN = { health: HealthStatus.DEGRADED, by: "", lines: [], secret: true };

test("team > operator's files > cluster's > packs > built-in: what is taken away leaves its place to the next", async () => {
  const all = { rules: true, edges: true, keda: true };
  world.start(clock, configured(all));
  const tab = world.anotherTab(world.signal);
  expect(await reaching(tab, OF_TEAM)).toEqual(OF_TEAM);

  world.main.teamFile = undefined;
  clock.skip(31_000);
  expect(await reaching(tab, OF_OPERATOR)).toEqual(OF_OPERATOR);

  const withoutOperator = await restarted({ ...all, rules: false, edges: false });
  expect(await reaching(withoutOperator, OF_ARGO)).toEqual(OF_ARGO);

  world.kas.objects.delete("configmaps/argocd-cm");
  clock.skip(61_000);
  expect(await reaching(withoutOperator, OF_FLUX)).toEqual(OF_FLUX);

  world.kas.objects.delete("kustomizations/apps");
  const builtIn = await restarted({ rules: false, edges: false, keda: false });
  expect(await reaching(builtIn, BUILT_IN)).toEqual(BUILT_IN);
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
    expect(await reaching(world.anotherTab(world.signal), OF_TEAM)).toEqual(OF_TEAM);
    await world.bff.close();
  }
});
