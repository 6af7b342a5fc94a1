// needs: control-plane
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { startCommand } from "../support/process-control.ts";
import { pushFile } from "../support/push-configuration.ts";

const PROJECT = "group/app";
/** A process on a busy machine takes an unknown time to start. */
const LATE_MS = 90_000;
const POD = "agentk-blue-0";

test("T75: an agent is registered from the page, a real agentk connects, and its namespaces become environments", async ({
  page,
  browser,
  startSandbox,
}) => {
  test.setTimeout(400_000);
  const sandbox = await startSandbox([]);
  const folder = mkdtempSync(join(tmpdir(), "binnacle-agent-"));
  const { dashboard, commands } = sandbox.endpoints;
  const configuration = `user_access:\n  access_as:\n    user: {}\n  projects:\n    - id: ${PROJECT}\n`;
  await pushFile(sandbox, ".gitlab/agents/blue/config.yaml", configuration);

  await signIn(page, sandbox, { username: "maintainer", url: `${dashboard}/p/${PROJECT}/environments` });
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await expect(page.locator("[data-agent=demo] [data-status=connected]")).toBeVisible();
  await page.getByRole("button", { name: "Register agent" }).click();
  await page.getByLabel("Name of the agent").fill("blue");
  await page.getByRole("button", { name: "Register agent" }).click();
  await expect(page.locator("[data-first-connection=waiting]")).toBeVisible();
  const command = await page.locator("[data-command]").first().innerText();
  const secret = /glagent-[\w-]+/.exec(command)?.[0] ?? "";
  expect(secret).not.toBe("");
  expect(command).toContain("--kas-address ws://127.0.0.1:");
  const kept = await page.evaluate(() => [location.href, JSON.stringify([localStorage, sessionStorage, history.state])].join(" "));
  expect(kept).not.toContain(secret);

  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, secret, { mode: 0o600 });
  const [own] = commands.agentk;
  if (own === undefined) throw new Error("the sandbox names no command of agentk");
  const argv = own.argv.map((word, index) => {
    const flag = own.argv[index - 1];
    if (flag === "--token-file") return tokenFile;
    if (flag === "--observability-listen-address") return "127.0.0.1:0";
    return flag === "--ready-file" ? join(folder, "ready.json") : word;
  });
  const agent = startCommand({ ...own, argv, env: { ...own.env, POD_NAME: POD, POD_NAMESPACE: "gitlab-agent" } });
  try {
    await expect(page.locator("[data-first-connection=connected]")).toContainText(POD, { timeout: LATE_MS });
    const namespace = page.locator("[data-namespace=production]");
    await expect(namespace).toBeVisible({ timeout: LATE_MS });
    expect(await namespace.getAttribute("href")).toContain("/environments/-/new?agent=blue&namespace=production");
    await page.screenshot({ path: test.info().outputPath("registered.png"), fullPage: true });

    await page.getByRole("link", { name: `Connected from gitlab-agent/${POD}` }).click();
    await expect(page.locator("[data-replicas='1']")).toContainText(POD);
    await expect(page.locator("[data-identity]")).toContainText("gitlab:user:maintainer", { timeout: LATE_MS });
    await expect(page.locator("[data-ability=impersonation]")).toHaveAttribute("data-has", "yes");
    await page.getByLabel("Resource").fill("pods");
    await page.getByLabel(/^Namespace/).fill("production");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.locator("[data-test-result=true]")).toContainText(/by (Cluster)?RoleBinding/);
    await page.getByLabel("Resource").fill("nodes");
    await page.getByLabel("Verb").selectOption("delete");
    await page.getByLabel(/^Namespace/).fill("");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(page.locator("[data-test-result=false]")).toContainText("Not allowed");
    await page.screenshot({ path: test.info().outputPath("agent-light.png"), fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: test.info().outputPath("agent-dark.png"), fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: test.info().outputPath("agent-phone.png"), fullPage: true });
    await page.setViewportSize({ width: 1280, height: 900 });

    // The secret of its token is in no later page.
    expect(await page.content()).not.toContain(secret);
    const visitor = await (await browser.newContext()).newPage();
    await signIn(visitor, sandbox, { username: "developer", url: `${dashboard}/p/${PROJECT}/-/agents` });
    await expect(visitor.locator("[data-agent=blue]")).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Register agent" })).toHaveCount(0);
    await visitor.context().close();

    agent.stop();
    await expect(page.locator("[data-status=offline]")).toBeVisible({ timeout: LATE_MS });
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(page.locator("[data-tokens='0']")).toBeVisible();
    await page.getByRole("button", { name: "Delete agent" }).click();
    await page.getByLabel("Type blue to delete it").fill("blue");
    await page.getByRole("dialog").getByRole("button", { name: "Delete agent" }).click();
    await expect(page.locator("[data-agent=demo]")).toBeVisible();
    await expect(page.locator("[data-agent=blue]")).toHaveCount(0);
  } finally {
    agent.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
