// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { startCommand } from "../support/process-control.ts";

const configMap = (name: string, namespace: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\ndata: { a: "1" }\n`;

test("changes made while agentk is dead are right afterwards: deleted, created, re-created under the same name", async ({
  page,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--restart", "never"]);
  const { kubeconfigs, environments, pids, commands } = sandbox.endpoints;
  const namespace = pick(environments, (entry) => entry.name === "production").namespace;
  const view = new EnvironmentPage(page);
  for (const name of ["leaves", "returns"]) await kubectl(kubeconfigs.cluster, ["apply", "-f", "-"], configMap(name, namespace));
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("ConfigMap", "leaves")).toBeVisible();
  const firstIncarnation = (await view.node("ConfigMap", "returns").getAttribute("data-node-id")) ?? "";
  await view.mark();

  process.kill(pids.agentk[0] ?? 0, "SIGKILL");
  await expect(page.getByText(/Agent demo has been offline since/)).toBeVisible();
  await kubectl(kubeconfigs.cluster, ["delete", "configmap", "leaves", "returns", "-n", namespace]);
  for (const name of ["returns", "arrives"]) await kubectl(kubeconfigs.cluster, ["apply", "-f", "-"], configMap(name, namespace));
  await expect(view.node("ConfigMap", "leaves"), "the last data stays while the agent is away").toBeVisible();

  const command = commands.agentk[0];
  if (command === undefined) throw new Error("endpoints.json names no command for agentk");
  const again = startCommand(command);
  try {
    await expect(page.getByText(/Agent demo has been offline since/)).toHaveCount(0);
    await expect(view.node("ConfigMap", "arrives")).toBeVisible();
    await expect(view.node("ConfigMap", "leaves")).toHaveCount(0);
    await expect(view.node("ConfigMap", "returns")).toHaveCount(1);
    await expect(view.node("ConfigMap", "returns")).not.toHaveAttribute("data-node-id", firstIncarnation);
    await view.expectNoReload();
  } finally {
    again.stop();
  }
});

test("a frozen agentk shows as offline, and the page recovers by itself when it thaws", async ({ page, startSandbox }) => {
  const sandbox = await startSandbox(["--restart", "never"]);
  const agentk = sandbox.endpoints.pids.agentk[0] ?? 0;
  const view = new EnvironmentPage(page);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.mark();
  process.kill(agentk, "SIGSTOP");
  try {
    await expect(page.getByText(/Agent demo has been offline since/)).toBeVisible({ timeout: 60_000 });
  } finally {
    process.kill(agentk, "SIGCONT");
  }
  await expect(page.getByText(/Agent demo has been offline since/)).toHaveCount(0, { timeout: 60_000 });
  await kubectl(sandbox.endpoints.kubeconfigs.viaKas, ["scale", "deployment/web", "--replicas=3"]);
  await expect(view.node("Deployment", "web")).toContainText("3/3 ready");
  await view.expectNoReload();
});
