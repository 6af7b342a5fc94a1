import type { KubeObject } from "@binnacle/kube";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { inWords, type InWords } from "../stream/in-words.ts";
import type { ViewScope } from "../scope/view-scope.ts";

const LIST: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "list", uid: "list", labels: { "cli-utils.sigs.k8s.io/inventory-id": "shop" } },
  data: { app_web_apps_Deployment: "", app_db_apps_Deployment: "" },
};
const SCOPE: ViewScope = { namespaces: ["app"], inventory: { tool: "cli-utils", name: "shop" } };

async function healthOf(...objects: readonly (readonly [string, KubeObject])[]): Promise<InWords<EnvironmentHealth> | undefined> {
  const clock = new ManualClock();
  const cluster = new FakeCluster(["/v1/configmaps/ConfigMap", "apps/v1/deployments/Deployment"].map(kindOf));
  for (const [id, object] of objects) cluster.put(id, object);
  const view = new EnvironmentView({ client: cluster, scope: SCOPE, clock, random: () => 0 });
  const stop = new AbortController();
  const ended = view.run(stop.signal);
  let health: InWords<EnvironmentHealth> | undefined;
  const subscription = view.open(() => {
    const sent = subscription.take()?.health;
    if (sent) health = inWords(sent);
  });
  await clock.elapse(1_000);
  stop.abort();
  await clock.elapse(0);
  await ended;
  return health;
}

test("when nothing of an inventory is there, all that it lists is Missing", async () => {
  const health = await healthOf(["/configmaps", LIST]);
  expect(health).toMatchObject({ status: "Missing", counts: { Missing: 2 } });
  const members = health?.issues.flatMap((issue) => issue.members) ?? [];
  expect(members.map(({ ref }) => `${ref?.kind} ${ref?.namespace}/${ref?.name}`)).toEqual(["Deployment app/db", "Deployment app/web"]);
});

test("while something of it is there, that speaks for it", async () => {
  const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", uid: "web" }, spec: { replicas: 0 }, status: {} };
  const health = await healthOf(["/configmaps", LIST], ["apps/deployments", web]);
  expect(health).toMatchObject({ status: "Healthy", counts: { Missing: 0, Healthy: 1 } });
});

test("an inventory that is not known lists nothing", async () => {
  expect(await healthOf()).toMatchObject({ reason: "NothingToRate", counts: { Missing: 0 } });
});
