// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { defineKinds } from "../support/custom-kind.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { haltProcesses } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";

const ENVIRONMENT = "preview";

const summaryUrl = (sandbox: Sandbox, environment: string): string => graphUrl(sandbox, environment).replace("view=graph", "view=summary");
const indexUrl = (sandbox: Sandbox): string => new URL("../environments", graphUrl(sandbox, ENVIRONMENT)).href;
const rowOf = (page: Page, environment: string): Locator => page.locator(`tr[data-environment="${environment}"]`);
const headlineOf = (page: Page): Locator => page.getByRole("main").getByRole("heading", { level: 2 }).first();

/** The namespace of the environment and kubectl in it, as the cluster's administrator. */
function within(sandbox: Sandbox, environment = ENVIRONMENT) {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === environment);
  const run = (args: readonly string[], input?: string): Promise<string> => kubectl(kubeconfigs.cluster, [...args, "-n", namespace], input);
  return { namespace, run };
}

/** What is in progress and is no rollout: a claim without a class, and a ConfigMap that a finalizer holds. */
const WAITING = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: claims-volume }
spec: { accessModes: [ReadWriteOnce], storageClassName: nosuch, resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: claims-held, finalizers: [example.com/claims] }
`;

test("S1: a claim that waits and an object that is being deleted are called so, and no rollout", async ({ page, sandbox }) => {
  const { run } = within(sandbox);
  await run(["apply", "-f", "-"], WAITING);
  try {
    await run(["delete", "configmap/claims-held", "--wait=false"]);
    await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox, ENVIRONMENT) });
    await expect(headlineOf(page)).toContainText(/waiting/);
    await expect(headlineOf(page)).toContainText(/being deleted/);
    await expect(page.getByText(/rolling out/)).toHaveCount(0);
  } finally {
    await run(["patch", "configmap/claims-held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}']);
    await run(["delete", "pvc/claims-volume", "configmap/claims-held", "--ignore-not-found"]);
  }
});

/** Degraded, though all that serves is ready: its autoscaler has no metrics. */
const WITHOUT_METRICS = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: claims-steady }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: claims-steady }
  maxReplicas: 3
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }]
`;

test("S3: a row gives the number of its issues and of the workloads that are down, and the environment that does not serve comes first", async ({
  page,
  sandbox,
}) => {
  const { run } = within(sandbox);
  await run(["create", "deployment", "claims-steady", "--image=nginx:1.27"]);
  await run(["apply", "-f", "-"], WITHOUT_METRICS);
  try {
    await signIn(page, sandbox, { username: "maintainer", url: indexUrl(sandbox) });
    const [preview, staging] = [rowOf(page, ENVIRONMENT), rowOf(page, "staging")];
    await expect(preview.getByText("1 issue", { exact: true })).toBeVisible();
    await expect(preview.getByText("1 of 1", { exact: true })).toBeVisible();
    await expect(preview.locator("[data-down]")).toHaveCount(0);
    await expect(staging.getByText(/^[2-9] issues$/)).toBeVisible();
    await expect(staging.locator("[data-down]")).toHaveText(/^[1-9]\d* down$/);
    await page.reload();
    await expect(preview.getByText("1 issue", { exact: true })).toBeVisible();
    const names = await page.locator("tr[data-environment]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-environment")));
    expect(names.indexOf("staging")).toBeLessThan(names.indexOf(ENVIRONMENT));
  } finally {
    await run(["delete", "deployment/claims-steady", "hpa/claims-steady"]);
  }
});

test("S4: the last change of a Deployment whose image was set back is the moment of that", async ({ page, sandbox }) => {
  const { run } = within(sandbox);
  const setImage = (version: string): Promise<string> => run(["set", "image", "deployment/claims-back", `nginx=nginx:${version}`]);
  const replicaSets = async (): Promise<number> =>
    (await run(["get", "rs", "-l", "app=claims-back", "-o", "name"])).trim().split("\n").length;
  // Without a replica nothing is created that would be a change by itself.
  await run(["create", "deployment", "claims-back", "--image=nginx:1.27", "--replicas=0"]);
  try {
    await expect.poll(replicaSets).toBe(1);
    await setImage("1.28");
    await expect.poll(replicaSets).toBe(2);
    await signIn(page, sandbox, { username: "maintainer", url: indexUrl(sandbox) });
    const change = rowOf(page, ENVIRONMENT).locator("td").nth(2).locator("time");
    await expect(change).toBeVisible();
    const changedMs = async (): Promise<number> => Date.parse((await change.getAttribute("datetime")) ?? "");
    const before = await changedMs();
    // The API server writes whole seconds.
    await expect.poll(() => Date.now()).toBeGreaterThan(before + 2_000);
    const backMs = Date.now();
    await setImage("1.27");
    await expect.poll(changedMs).toBeGreaterThanOrEqual(backMs - 1_000);
    expect(await replicaSets(), "the old ReplicaSet is the current one again").toBe(2);
  } finally {
    await run(["delete", "deployment/claims-back"]);
  }
});

test("S5: a registry whose name is not found is not called an image that does not exist", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox, "staging") });
  const issue = page.getByRole("region", { name: "Why" }).getByRole("listitem").filter({ hasText: "nosuch.invalid" }).first();
  await expect(issue).toContainText(/name of its registry nosuch\.invalid does not resolve/);
  await expect(page.getByText(/does not exist in the registry|push it/i)).toHaveCount(0);
});

test("S6: the events of an environment have its deployment, and nothing about who looks at it", async ({ page, sandbox }) => {
  // Looking causes what must not be listed.
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging") });
  await expect(new EnvironmentPage(page).node("Deployment", "payments")).toBeVisible();
  await page.goto(graphUrl(sandbox, "staging").replace("view=graph", "view=events"));
  const events = page.getByRole("region", { name: "Events by workload" });
  await expect(events.getByRole("listitem").filter({ hasText: /Deployed [0-9a-f]{8}/ })).toHaveCount(1);
  await expect(page.getByText(/keep views|looks at views|views of environments/i)).toHaveCount(0);
});

test("S11: a kind that no environment has makes no environment partial, and is not in the headline", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const remove = await defineKinds(cluster, [{ group: "claims.example.com", kind: "Beacon", plural: "beacons" }]);
  await kubectl(cluster, ["delete", "clusterrole/beacons.claims.example.com-viewer"]);
  try {
    await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox, "staging") });
    const view = new EnvironmentPage(page);
    await expect(view.health).toHaveAttribute("data-partial", "false");
    await expect(headlineOf(page)).not.toContainText("beacons");
    await expect(view.health).toHaveAttribute("data-partial", "false");
  } finally {
    // The role is deleted already, and is one of what `remove` deletes.
    await kubectl(cluster, ["create", "clusterrole", "beacons.claims.example.com-viewer", "--verb=get", "--resource=pods"]);
    await remove();
  }
});

test("S13: viewers that leave while the API server hangs are no error in the log of agentk", async ({ browser, sandbox }) => {
  const { pids, kubeconfigs } = sandbox.endpoints;
  const before = logLines(sandbox, "agentk").length;
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging") });
  await expect(new EnvironmentPage(page).node("Deployment", "payments")).toBeVisible();
  const wake = haltProcesses(pids.cluster["kube-apiserver"] ?? pids.cluster["cluster"] ?? 0);
  try {
    for (const environment of ["production", ENVIRONMENT]) {
      const other = await context.newPage();
      await other.goto(graphUrl(sandbox, environment), { waitUntil: "commit" });
    }
    await expect(page.locator("[data-connection]")).not.toHaveAttribute("data-connection", "live");
    await context.close();
  } finally {
    wake();
  }
  await expect.poll(async () => (await runKubectl(kubeconfigs.cluster, ["get", "namespaces"])).code).toBe(0);
  const errors = logLines(sandbox, "agentk")
    .slice(before)
    .filter(({ level }) => level === "error");
  expect(errors).toEqual([]);
});
