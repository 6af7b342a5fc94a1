// needs: control-plane, prometheus
import type { Locator, Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { pushFile } from "../support/push-configuration.ts";
import { Sandbox } from "../support/sandbox.ts";

const OPTIONS = ".gitlab/agents/demo/binnacle.yaml";
/** An open page asks every 30 s, and a refusal is remembered for a minute. */
const FOLLOWED = { timeout: 150_000 };
/** CPU is a rate: it is there with the second look at the pods. */
const MEASURED = { timeout: 90_000 };

// One of its own, with a real Prometheus behind its agent.
let sandbox: Sandbox;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--prometheus"] });
});

test.afterAll(() => sandbox.stop());

function summaryUrl(): string {
  return graphUrl(sandbox, "production").replace(/graph$/, "summary");
}

/** Figures, wherever they stand. */
function metricsIn(place: Page | Locator): Locator {
  return place.getByRole("region", { name: "Metrics" });
}

test("the drawer shows CPU and memory against requests and limits, restarts and requests, and the queries", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await view.node("Deployment", "web").press("Enter");
  const metrics = metricsIn(page.getByRole("complementary", { name: "Deployment web" }));
  await expect(metrics.getByRole("img", { name: /^CPU: [\d.]+ cores, [\d.]+ requested.*, last 30 minutes$/ })).toBeVisible(MEASURED);
  await expect(metrics.getByRole("img", { name: /^Memory: [\d.]+ MiB, [\d.]+ MiB requested/ })).toBeVisible();
  await expect(metrics.getByRole("img", { name: /^Restarts: 0 in the hour before/ })).toBeVisible();
  await expect(metrics.getByRole("img", { name: /^Requests: [\d.]+\/s/ })).toBeVisible();
  await expect(metrics).toContainText("Service prometheus, last 30 minutes");
  await metrics.getByText("Queries", { exact: true }).click();
  await expect(metrics).toContainText('sum(rate(container_cpu_usage_seconds_total{namespace="production",pod=~"web-');
  await metrics.getByRole("button", { name: "Copy query: CPU, usage" }).click();
  await expect(metrics.getByRole("button", { name: "Query copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("container_cpu_usage_seconds_total");
});

test("a card shows CPU and memory to a pointer that rests on it, and to the keyboard; Escape takes them away alone", async ({ page }) => {
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  const card = new EnvironmentPage(page).node("Deployment", "web");
  const tip = page.getByRole("tooltip");
  await card.hover();
  await expect(tip.getByRole("img", { name: /^CPU: [\d.]+ cores/ })).toBeVisible(MEASURED);
  await expect(tip.getByRole("img", { name: /^Memory: / })).toBeVisible();
  await expect(card).toHaveAttribute("aria-describedby", /./);
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);

  await card.press("Enter");
  const drawer = page.getByRole("complementary", { name: "Deployment web" });
  await expect(drawer).toBeVisible();
  await card.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(card).toBeFocused();
  await expect(tip.getByRole("img", { name: /^CPU/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
  await expect(drawer).toBeVisible();
});

test("the summary shows all pods of the namespace together, and follows the agent's configuration while it is open", async ({ page }) => {
  await signIn(page, sandbox, { username: "developer", url: summaryUrl() });
  const metrics = metricsIn(page);
  await expect(metrics.getByRole("img", { name: /^CPU: [\d.]+ cores, [\d.]+ requested/ })).toBeVisible(MEASURED);
  await expect(metrics.getByRole("img", { name: /^Requests \(istio\): / })).toBeVisible();
  await expect(metrics.getByRole("img", { name: /^Requests \(ingress-nginx\): / })).toBeVisible();
  await expect(metrics).toContainText("All pods of namespace production");
  const view = new EnvironmentPage(page);
  await view.mark();

  await pushFile(sandbox, OPTIONS, "services: []\n");
  await expect(metrics).toContainText("Only present values, of metrics.k8s.io: ", FOLLOWED);
  await expect(metrics).toContainText("the agent's configuration opens no service prometheus for metrics", FOLLOWED);
  await expect(metrics.getByRole("img", { name: /^CPU: [\d.]+ cores, [\d.]+ requested[^,]*(, limit [\d.]+)?$/ })).toBeVisible();
  await expect(metrics.getByText("Queries", { exact: true })).toHaveCount(0);
  await view.expectNoReload();
});

test("a viewer who may not list pods sees a sentence, without a number", async ({ page }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  await kubectl(cluster, ["delete", "clusterrolebinding", "project-1-developer-view"]);
  const resources = "--resource=deployments.apps,replicasets.apps,services";
  await kubectl(cluster, ["create", "clusterrole", "without-pods", "--verb=get,list,watch", resources]);
  const group = "--group=gitlab:project_role:1:developer";
  await kubectl(cluster, ["create", "clusterrolebinding", "without-pods", "--clusterrole=without-pods", group]);
  await pushFile(
    sandbox,
    OPTIONS,
    "services: [{ name: prometheus, namespace: monitoring, service: prometheus, port: 9090, metrics: true }]\n",
  );
  await signIn(page, sandbox, { username: "developer", url: summaryUrl() });
  const line = page.locator("[data-no-metrics]");
  await expect(line).toContainText("No metrics: you may not get and list pods in namespace production", FOLLOWED);
  await expect(line).toContainText("you may not read pods of metrics.k8s.io in namespace production");
  await expect(line).toContainText("metrics-server");
  await expect(metricsIn(page)).toHaveCount(0);
});
