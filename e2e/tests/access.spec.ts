// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

test("a kind the viewer may not list is named with its missing rule, and the rest still shows", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  // `view` reads no Secrets; they carry no health, so Healthy stays what it is.
  await expect(view.health).toHaveAttribute("data-health", "healthy");
  await expect(view.health).toHaveAttribute("data-partial", "false");
  await page.getByRole("button", { name: /^Access/ }).click();
  const panel = page.getByRole("dialog", { name: "Explain my access" });
  await expect(panel.getByRole("listitem").filter({ hasText: "secrets" })).toContainText("get, list, watch");
  await expect(panel).toContainText("gitlab:user:developer");
  await expect(view.nodes("Secret", "")).not.toHaveAttribute("data-health", "healthy");
});

test("the token way: a pasted personal access token alone shows the environment", async ({ page, sandbox }) => {
  const { dashboard, users } = sandbox.endpoints;
  const user = pick(users, (entry) => entry.username === "maintainer");
  await page.goto(`${dashboard.replace(/\/$/, "")}/sign-in`);
  await page.getByLabel("Personal access token").fill("glpat-wrong");
  await page.getByRole("button", { name: "Sign in with a token" }).click();
  await expect(page.getByText("The main application does not accept this token.")).toBeVisible();
  await page.getByLabel("Personal access token").fill(user.personalAccessToken);
  await page.getByRole("button", { name: "Sign in with a token" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await page.goto(graphUrl(sandbox, "production"));
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
});

test("a foreign cluster is shown as its kubeconfig sees it, and nothing is created in it", async ({ page, sandbox, startSandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const inventory = async (): Promise<string[]> => {
    const kinds =
      "namespaces,serviceaccounts,configmaps,secrets,clusterroles,clusterrolebindings,roles,rolebindings,customresourcedefinitions";
    return (await kubectl(cluster, ["get", kinds, "-A", "-o", "name"])).trim().split("\n").sort();
  };
  const before = await inventory();
  const foreign = await startSandbox(["--kubeconfig", cluster]);
  expect(foreign.output).toContain("maintainer");
  expect(foreign.endpoints.environments.map((environment) => environment.name)).toContain("staging");
  expect(foreign.endpoints.environments.filter((environment) => environment.name.startsWith("kube-"))).toEqual([]);
  await signIn(page, foreign, { username: "maintainer", url: graphUrl(foreign, "staging") });
  await expect(page.getByRole("button", { name: /^Deployment payments .*ImagePullBackOff/ })).toBeVisible();
  expect(await inventory()).toEqual(before);
});
