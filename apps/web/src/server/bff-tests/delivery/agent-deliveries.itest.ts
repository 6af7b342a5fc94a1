import type { ServerResponse } from "node:http";

import { appliedFieldsOf, toDigest, type AppliedFields } from "@binnacle/kube";
import { DeliveryState, GitopsTool, type Delivery, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { HurriedClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";

const AT = "2026-01-01T10:00:05Z";
const SYNC = {
  project: "group/manifests",
  commitId: "abcdef12",
  state: "GITOPS_SYNC_STATE_SYNCED",
  startedAt: "2026-01-01T10:00:00Z",
  finishedAt: AT,
  reportedAt: "2026-01-01T10:00:06Z",
  objects: 1,
  namespaces: ["prod"],
};
const entry = (manager: string, operation: string, fieldsV1: object) => ({ manager, operation, time: AT, fieldsV1 });
const WHOLE = [entry("agentk", "Apply", { "f:spec": { "f:replicas": {}, "f:paused": {} } })];
const CHANGED = [
  entry("agentk", "Apply", { "f:spec": { "f:paused": {} } }),
  entry("kubectl-scale", "Update", { "f:spec": { "f:replicas": {} } }),
];
const APPLIED = appliedFieldsOf({ metadata: { managedFields: WHOLE } }) as AppliedFields;
const OBJECT = {
  group: "apps",
  kind: "Deployment",
  namespace: "prod",
  name: "web",
  outcome: "GITOPS_OUTCOME_APPLIED",
  appliedDigest: Buffer.from(toDigest(APPLIED)).toString("base64"),
};

let world: DashboardWorld;
let clock: HurriedClock;
let leaveIndex: AbortController;

beforeEach(async () => {
  clock = new HurriedClock();
  leaveIndex = new AbortController();
  world = await DashboardWorld.open(["maintainer"]);
  world.start(clock);
  world.kas.gitops = (project: string | undefined, response: ServerResponse) => {
    const body = project === undefined ? { syncs: [SYNC] } : { sync: SYNC, objects: [OBJECT] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
});

afterEach(async () => {
  leaveIndex.abort();
  await world.close();
});

/** The Deployment, with these managed fields. */
function put(managedFields: readonly object[]): void {
  const metadata = { name: "web", namespace: "prod", annotations: { "config.k8s.io/owning-inventory": "1-2" }, managedFields };
  world.kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 1 } });
}

/** The delivery in the newest row of the environment. */
function openIndex(): () => Delivery | undefined {
  const rows = new Map<string, EnvironmentRow>();
  void (async () => {
    try {
      const { signal } = leaveIndex;
      for await (const message of world.clientWith().watchEnvironments({ projectPath: "group/app" }, { signal }))
        for (const row of message.rows) rows.set(row.environment?.name ?? "", row);
    } catch (error) {
      if (!leaveIndex.signal.aborted) throw error;
    }
  })();
  return () => rows.get("production")?.environment?.delivery;
}

test("B3: a row reports the drift that an open page of its environment shows, and that it is not compared when none is open", async () => {
  put(WHOLE);
  const delivery = openIndex();
  await until(() => delivery()?.sync?.state === DeliveryState.KNOWN);
  expect(delivery()?.drift?.state).toBe(DeliveryState.UNKNOWN);

  const leave = new AbortController();
  const tab = world.open(world.clientWith(), leave.signal);
  await tab.until(() => tab.isComplete());
  await until(() => delivery()?.drift?.state === DeliveryState.KNOWN);
  expect(delivery()?.sync?.value?.syncs).toMatchObject([{ drifted: 0 }]);

  put(CHANGED);
  await until(() => delivery()?.sync?.value?.syncs[0]?.drifted === 1);

  leave.abort();
  await tab.ended;
  await clock.skipUntil(() => delivery()?.drift?.state === DeliveryState.UNKNOWN, 10_000);
});

/** The agent syncs nothing. */
function withoutSyncs(): void {
  world.kas.gitops = (_project: string | undefined, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ syncs: [], complete: true }));
  };
}

test("that there is no deployment is known of a row when its objects were read and no other tool marks one, without a page", async () => {
  withoutSyncs();
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  const delivery = openIndex();
  await until(() => delivery()?.lastDeployment?.state === DeliveryState.NONE);
  expect(delivery()?.sync?.state).toBe(DeliveryState.NONE);
});

test("a row names the tool that marks its objects, and its state while a page of its environment is open", async () => {
  withoutSyncs();
  const labels = { "kustomize.toolkit.fluxcd.io/name": "web", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web", labels } });
  const delivery = openIndex();
  const tool = () => delivery()?.sync?.value?.tools[0];
  await until(() => tool() !== undefined);
  expect(tool()).toMatchObject({ tool: GitopsTool.FLUX_KUSTOMIZATION, namespace: "flux-system", name: "web", objects: 1, state: 0 });
  expect(tool()?.why?.id).toBe("tool-sync/without-view");
  expect(delivery()?.lastDeployment).toMatchObject({ state: DeliveryState.UNKNOWN, why: { id: "delivery/tool-state-not-known" } });
  await world.openTab();
  // The cluster of this test serves no Kustomizations.
  await until(() => tool()?.why?.id === "tool-sync/unserved");
});
