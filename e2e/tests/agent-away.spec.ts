// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess, startCommand, type Started } from "../support/process-control.ts";
import { Sandbox } from "../support/sandbox.ts";

// A sandbox of its own: what is killed stays dead until the test starts it again. The tests restore what they end.
let sandbox: Sandbox;
/** The agentk that runs in the place of the sandbox's own. */
let successor: Started | undefined;

test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--restart", "never"] });
});

test.afterAll(async () => {
  successor?.stop();
  await sandbox?.stop();
});

const agentkPid = (): number | undefined => successor?.child.pid ?? sandbox.endpoints.pids.agentk[0];

function startAgentk(): void {
  const command = sandbox.endpoints.commands.agentk[0];
  if (command === undefined) throw new Error("endpoints.json names no command for agentk");
  successor = startCommand(command);
}

const configMap = (name: string, namespace: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\ndata: { a: "1" }\n`;

test("changes made while agentk is dead are right afterwards: deleted, created, re-created under the same name", async ({ page }) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const namespace = pick(environments, (entry) => entry.name === "production").namespace;
  const view = new EnvironmentPage(page);
  for (const name of ["leaves", "returns"]) await kubectl(kubeconfigs.cluster, ["apply", "-f", "-"], configMap(name, namespace));
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("ConfigMap", "leaves")).toBeVisible();
  const firstIncarnation = (await view.node("ConfigMap", "returns").getAttribute("data-life")) ?? "";
  await view.mark();

  signalProcess(agentkPid(), "SIGKILL");
  await expect(page.getByText(/Agent demo has been offline since/)).toBeVisible();
  await kubectl(kubeconfigs.cluster, ["delete", "configmap", "leaves", "returns", "-n", namespace]);
  for (const name of ["returns", "arrives"]) await kubectl(kubeconfigs.cluster, ["apply", "-f", "-"], configMap(name, namespace));
  await expect(view.node("ConfigMap", "leaves"), "the last data stays while the agent is away").toBeVisible();

  startAgentk();
  await expect(page.getByText(/Agent demo has been offline since/)).toHaveCount(0);
  await expect(view.node("ConfigMap", "arrives")).toBeVisible();
  await expect(view.node("ConfigMap", "leaves")).toHaveCount(0);
  await expect(view.node("ConfigMap", "returns")).toHaveCount(1);
  await expect(view.node("ConfigMap", "returns")).not.toHaveAttribute("data-life", firstIncarnation);
  await view.expectNoReload();
});

test("a frozen agentk shows as offline, and the page recovers by itself when it thaws", async ({ page }) => {
  const agentk = agentkPid();
  const view = new EnvironmentPage(page);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.mark();
  signalProcess(agentk, "SIGSTOP");
  try {
    await expect(page.getByText(/Agent demo has been offline since/)).toBeVisible({ timeout: 60_000 });
    const html = await (await page.request.get(page.url(), { headers: { accept: "text/html" } })).text();
    expect(html, "S7: a page opened now says so in its first answer").toMatch(/has been offline since/);
    expect(html, "S7: with the last picture").toMatch(/This is the last known state, of/);
  } finally {
    signalProcess(agentk, "SIGCONT");
  }
  await expect(page.getByText(/Agent demo has been offline since/)).toHaveCount(0, { timeout: 60_000 });
  await kubectl(sandbox.endpoints.kubeconfigs.viaKas, ["scale", "deployment/web", "--replicas=3"]);
  await expect(view.node("Deployment", "web")).toContainText("3/3 ready");
  await view.expectNoReload();
});

test("a page opened while the agent is away shows the last picture with its time, to who saw it; and is live when the agent is back", async ({
  page,
  browser,
}) => {
  const url = graphUrl(sandbox, "production");
  const indexUrl = url.slice(0, url.lastIndexOf("/"));
  await signIn(page, sandbox, { username: "maintainer", url: indexUrl });
  const row = page.locator('tr[data-environment="production"]');
  await expect(row).toHaveAttribute("data-health", "healthy");
  await page.goto(url);
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  const context = page.context();
  await page.close();

  signalProcess(agentkPid(), "SIGKILL");
  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  await signIn(other, sandbox, { username: "developer", url });
  const [fresh, index] = [await context.newPage(), await context.newPage()];
  await Promise.all([fresh.goto(url), index.goto(indexUrl)]);

  await expect(fresh.getByText(/^Agent demo (is|has been) offline.*This is the last known state, of .* ago\)/)).toBeVisible();
  const view = new EnvironmentPage(fresh);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(fresh.locator("main[data-stale=true]")).toBeVisible();
  await expect(fresh.locator("[data-connection]")).toHaveAttribute("data-connection", "agent-offline");
  await view.node("Deployment", "web").click();
  await fresh.getByRole("tab", { name: "YAML" }).click();
  await expect(fresh.getByText("YAML is not available.")).toBeVisible();
  const oldRow = index.locator('tr[data-environment="production"]');
  await expect(oldRow).toHaveAttribute("data-knowledge", "old");
  await expect(oldRow).toHaveAttribute("data-health", "healthy");
  await expect(index.getByText("None needs attention")).toHaveCount(0);

  await expect(other.getByText(/^Agent demo (is|has been) offline.*Nothing has been read yet/)).toBeVisible();
  await expect(new EnvironmentPage(other).node("Deployment", "web")).toHaveCount(0);
  await stranger.close();

  startAgentk();
  await expect(fresh.locator("[data-connection]")).toHaveAttribute("data-connection", "live");
  await expect(fresh.getByText(/This is the last known state/)).toHaveCount(0);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(fresh.getByText("kind: Deployment")).toBeVisible();
  await expect(oldRow).toHaveAttribute("data-knowledge", "fresh");
});

test("US6: a Kubernetes API that hangs is no offline agent, on an open page and on a fresh one, and both recover", async ({ page }) => {
  const { cluster } = sandbox.endpoints.pids;
  const apiServer = cluster["kube-apiserver"] ?? cluster["cluster"];
  const view = new EnvironmentPage(page);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("Deployment", "web")).toBeVisible();
  const hangs = /Agent demo is connected, but the Kubernetes API behind it has not answered since/;
  const offline = page.getByText(/Agent demo has been offline since/);
  let wasOffline = false;
  void offline.waitFor({ timeout: 0 }).then(
    () => (wasOffline = true),
    () => undefined,
  );
  signalProcess(apiServer, "SIGSTOP");
  try {
    await expect(page.getByText(hangs)).toBeVisible();
    await expect(view.node("Deployment", "web"), "the last data stays").toBeVisible();
    const fresh = await page.context().newPage();
    await fresh.goto(graphUrl(sandbox, "production"));
    await expect(fresh.getByText(hangs)).toBeVisible();
    await fresh.close();
  } finally {
    signalProcess(apiServer, "SIGCONT");
  }
  await expect(page.getByText(hangs)).toHaveCount(0);
  expect(wasOffline).toBe(false);
});
