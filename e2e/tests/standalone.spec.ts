// needs: control-plane
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--standalone"] });
});
test.afterAll(async () => {
  await sandbox?.stop();
});

test("without GitLab a user signs in with a password, opens an environment and sees its live graph", async ({ page }) => {
  const url = graphUrl(sandbox, "production");
  await page.goto(url);
  await page.getByLabel("User name").fill("maintainer");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("The user name or the password is not correct.")).toBeVisible();
  await page.getByLabel("Password").fill(pick(sandbox.endpoints.users, ({ username }) => username === "maintainer").password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  // The user's personal access token serves kubectl, too.
  await kubectl(sandbox.endpoints.kubeconfigs.viaKas, ["create", "configmap", "by-kubectl"]);
  await expect(view.node("ConfigMap", "by-kubectl")).toBeVisible();
});

test("a token that is created on the page lets kubectl act as its user, until it is deleted there", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: `${sandbox.endpoints.dashboard}/access-tokens` });
  await page.getByLabel("Name", { exact: true }).fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByLabel("Copy token").innerText()).trim();
  expect(token).toMatch(/^binnacle-/);
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const get = () => kubectl(viaKas, ["--token", `pat:1:${token}`, "get", "configmaps"]);
  const succeeds = () =>
    get().then(
      () => true,
      () => false,
    );
  await expect.poll(succeeds).toBe(true);
  await page.reload();
  await expect(page.getByRole("rowheader", { name: "laptop" })).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Delete token laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("You have no access tokens.").or(page.getByText("In the organization's file")).first()).toBeVisible();
  await expect.poll(succeeds).toBe(false);
});

test("T80: a user who is removed from the file while a page is open loses it, and cannot sign in again", async ({ page }) => {
  const url = graphUrl(sandbox, "staging");
  await signIn(page, sandbox, { username: "developer", url });
  await expect(new EnvironmentPage(page).node("Deployment", "web").first()).toBeVisible();
  const file = join(sandbox.directory, "organization.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("- name: developer\n", "- name: another-user\n"));
  await expect(page.getByText("Your session ended").first()).toBeVisible();
  await page.goto(`${sandbox.endpoints.dashboard}/sign-in`);
  await page.getByLabel("User name").fill("developer");
  await page.getByLabel("Password").fill(pick(sandbox.endpoints.users, ({ username }) => username === "developer").password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("The user name or the password is not correct.")).toBeVisible();
});
