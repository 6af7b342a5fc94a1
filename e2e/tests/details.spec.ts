// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

test("W8: the YAML of an object that never stops changing goes on being current", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const url = `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/web&tab=yaml`;
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  const yaml = page.getByRole("tabpanel");
  await expect(yaml).toContainText("kind: Deployment");
  const stop = new AbortController();
  let change = 0;
  const changes = (async () => {
    for (; !stop.signal.aborted; change += 1) {
      // No card shows an annotation.
      await kubectl(cluster, ["annotate", "deployment", "web", "-n", namespace, "--overwrite", `example.com/change=c${change}c`]);
    }
  })();
  const shown = async (): Promise<number> => Number(/example\.com\/change: c(\d+)c/.exec(await yaml.innerText())?.[1] ?? -1);
  try {
    for (let times = 0; times < 5; times += 1) {
      const before = await shown();
      await expect.poll(shown).toBeGreaterThan(before);
    }
  } finally {
    stop.abort();
    await changes;
  }
  await expect.poll(shown).toBe(change - 1);
});

test("W9: an event about the open resource is shown when it comes, without a reload", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const url = `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/web&tab=events`;
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 2, name: "web" })).toBeVisible();
  const view = new EnvironmentPage(page);
  await view.mark();
  const uid = await kubectl(cluster, ["get", "deployment", "web", "-n", namespace, "-o", "jsonpath={.metadata.uid}"]);
  const involvedObject = { apiVersion: "apps/v1", kind: "Deployment", namespace, name: "web", uid };
  const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "valve", namespace },
    involvedObject,
    type: "Warning",
    reason: "ValveStuck",
    message: "the valve is stuck",
    firstTimestamp: at,
    lastTimestamp: at,
  };
  await kubectl(cluster, ["create", "-f", "-"], JSON.stringify(event));
  await expect(page.getByRole("tabpanel")).toContainText("the valve is stuck");
  await kubectl(cluster, ["patch", "event", "valve", "-n", namespace, "--type=merge", "-p", '{"message":"the valve is loose"}']);
  await expect(page.getByRole("tabpanel")).toContainText("the valve is loose");
  await kubectl(cluster, ["delete", "event", "valve", "-n", namespace]);
  await expect(page.getByRole("tabpanel")).not.toContainText("the valve is loose");
  await view.expectNoReload();
});

test("W12: a graph whose code is gone loads the page again once and then says so; all else goes on, and a later try shows it", async ({
  page,
  sandbox,
}) => {
  const list = graphUrl(sandbox, "production").replace("view=graph", "view=list");
  const known = new Set<string>();
  page.on("request", (request) => void known.add(request.url()));
  await signIn(page, sandbox, { username: "maintainer", url: list });
  await page.goto(list);
  const row = page.getByRole("row").filter({ hasText: "web" }).first();
  await expect(row).toBeVisible();
  let gone = true;
  const had = new Set(known);
  await page.route("**/_next/static/**", (route) => (gone && !had.has(route.request().url()) ? route.abort() : route.continue()));
  let loads = 0;
  page.on("load", () => void (loads += 1));

  await page.getByRole("link", { name: "Graph" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "The graph could not be loaded." });
  await expect(alert).toBeVisible();
  // It is announced as soon as the page runs, which may be before all of it is loaded.
  await expect.poll(() => loads).toBe(1);
  const view = new EnvironmentPage(page);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", /.+/);
  await page.getByRole("button", { name: "Show the list" }).click();
  await expect(row).toBeVisible();
  await page.goBack();
  await expect(alert).toBeVisible();
  gone = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(view.node("Deployment", "web")).toBeVisible();
  expect(loads).toBe(1);
});

test("W19: Escape in the explanation of the access closes it alone and gives the focus back to its button", async ({ page, sandbox }) => {
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const url = `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/web`;
  await signIn(page, sandbox, { username: "developer", url });
  await page.goto(url);
  const button = page.getByRole("button", { name: /^Access/ });
  const panel = page.getByRole("dialog", { name: "Explain my access" });
  const drawer = page.getByRole("complementary", { name: "Deployment web" });
  await expect(drawer).toBeVisible();
  for (const close of [() => page.keyboard.press("Escape"), () => panel.getByRole("button", { name: "Close" }).click()]) {
    await button.click();
    await expect(panel).toBeFocused();
    await close();
    await expect(panel).toBeHidden();
    await expect(button).toBeFocused();
    await expect(drawer).toBeVisible();
  }
});

test("US7, US9: the details of a pod tell its containers; a line of its YAML has a link that reload and Back keep", async ({
  page,
  sandbox,
}) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const names = await kubectl(cluster, ["get", "pods", "-n", namespace, "-o", "jsonpath={.items[*].metadata.name}"]);
  const pod = names.split(" ").find((name) => name.startsWith("web-")) ?? "";
  const container = await kubectl(cluster, ["get", "pod", pod, "-n", namespace, "-o", "jsonpath={.spec.containers[0].name}"]);
  const url = `${graphUrl(sandbox, "production").replace("view=graph", "view=list")}&sel=core/pods/${namespace}/${pod}`;
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  const drawer = page.getByRole("complementary", { name: `Pod ${pod}` });
  const containers = drawer.locator('[data-section="detail/containers"]');
  await expect(containers.getByRole("button", { name: container, exact: true })).toHaveAttribute("aria-expanded", "true");
  await expect(containers).toContainText("Running");
  await expect(containers).toContainText("Resources");
  const owner = drawer.locator("dt", { hasText: "Owner" }).locator("+ dd").getByRole("link");
  await expect(owner).toHaveAttribute("title", /^ReplicaSet web-/);

  await drawer.getByRole("tab", { name: "YAML" }).click();
  const yaml = drawer.getByRole("region", { name: `YAML of Pod ${pod}` });
  await expect(yaml).toContainText("kind: Pod");
  const marked = yaml.locator("[data-marked]");
  await expect(marked).toHaveCount(0);
  // The second number of the first lines: `kind`.
  const numbers = await yaml.locator("pre[aria-hidden]").first().boundingBox();
  const { x = 0, y = 0, width = 0, height = 0 } = numbers ?? {};
  await page.mouse.click(x + width / 2, y + height * 0.75);
  await expect(page).toHaveURL(/[?&]line=2(?:&|$)/);
  await expect(marked).toHaveText("kind: Pod");
  const field = drawer.getByRole("textbox", { name: /^Lines that the link leads to/ });
  await field.fill("2-40");
  await field.press("Enter");
  await expect(page).toHaveURL(/[?&]line=2-40/);
  await page.reload();
  await expect(marked.first()).toHaveText("kind: Pod");
  await expect(marked.first()).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/[?&]line=2(?:&|$)/);
  await expect(marked).toHaveText("kind: Pod");
  await page.goBack();
  await expect(marked).toHaveCount(0);
});
