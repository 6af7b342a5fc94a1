// needs: control-plane
import { pathToFileURL } from "node:url";

import { axeViolations } from "../support/axe.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] } };
  };
}

test("the graph follows the cluster without a reload, from a scale to a bad image and back to Healthy", async ({ page, sandbox }) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const deployment = JSON.parse(await kubectl(viaKas, ["get", "deployment", "web", "-o", "json"])) as Deployment;
  const container = deployment.spec.template.spec.containers[0];
  if (container === undefined) throw new Error("the demo's Deployment has no container");
  const view = new EnvironmentPage(page);

  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.health).toHaveAttribute("data-health", "healthy");
  await expect(view.node("Deployment", "web")).toHaveAttribute("data-health", "healthy");
  await view.mark();

  const wanted = deployment.spec.replicas + 1;
  await kubectl(viaKas, ["scale", "deployment/web", `--replicas=${wanted}`]);
  await expect(view.node("Deployment", "web")).toContainText(`${wanted}/${wanted} ready`);

  await kubectl(viaKas, ["set", "image", "deployment/web", `${container.name}=nosuch.invalid/web:2`]);
  const badPod = page.getByRole("button", { name: /^Pod web-.*ImagePullBackOff/ });
  await expect(badPod.first()).toHaveAttribute("data-health", "degraded");
  // UB5: what is new stands in the column of its kind, under its heading.
  const heading = await page.getByText("Pods, configuration, storage", { exact: true }).first().boundingBox();
  await expect.poll(async () => (await badPod.first().boundingBox())?.x).toBeCloseTo(heading?.x ?? Number.NaN, 0);
  await expect(view.node("Deployment", "web")).toHaveAttribute("data-health", "degraded");
  await expect(view.node("Deployment", "web")).toContainText("ImagePullBackOff");
  await expect(view.health).toHaveAttribute("data-health", "degraded");

  await kubectl(viaKas, ["set", "image", "deployment/web", `${container.name}=${container.image}`]);
  await expect(badPod).toHaveCount(0);
  await expect(view.health).toHaveAttribute("data-health", "healthy");
  await kubectl(viaKas, ["scale", "deployment/web", `--replicas=${deployment.spec.replicas}`]);
  await expect(view.node("Deployment", "web")).toContainText(`${deployment.spec.replicas}/${deployment.spec.replicas} ready`);
  await view.expectNoReload();
});

test("an exported drawing opens alone, and says what it shows, of when and what its lines mean; paper has it; the page is held and goes on", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^SVG/ }).click()]);
  expect(download.suggestedFilename()).toMatch(/^production-graph-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.svg$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("h");
  await expect(page.locator("[data-held]")).toContainText(/^Paused since .*: /);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.locator("[data-held]")).toHaveCount(0);

  await page.emulateMedia({ media: "print" });
  await expect(page.locator('[data-printed="graph"] svg')).toContainText(/As of \d+ \w+ \d{4}/);
  await expect(page.getByRole("search")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await expect(page.locator('[data-printed="graph"]')).toHaveCount(0);

  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const path = test.info().outputPath("drawing.svg");
  await download.saveAs(path);
  const alone = pathToFileURL(path).href;
  await page.goto(alone);
  await expect(page.locator("svg")).toContainText("production of ");
  await expect(page.locator("svg")).toContainText(/As of \d+ \w+ \d{4}, \d\d:\d\d:\d\d \S+\. Agent .* was connected\./);
  await expect(page.locator("[data-legend]")).toContainText("owns");
  await expect(page.getByText("web", { exact: true }).first()).toBeVisible();
  expect(requests.filter((url) => url !== alone)).toEqual([]);
});

test("the keyboard alone reaches a node, opens its drawer and comes back to it", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  const focusedNode = page.locator("[data-node-id]:focus");
  for (let presses = 0; presses < 60 && (await focusedNode.count()) === 0; presses += 1) await page.keyboard.press("Tab");
  await expect(focusedNode).toHaveCount(1);
  const first = await focusedNode.getAttribute("data-node-id");
  await page.keyboard.press("ArrowRight");
  await expect(focusedNode).not.toHaveAttribute("data-node-id", first ?? "");
  const second = await focusedNode.getAttribute("data-node-id");
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("complementary");
  await expect(drawer.getByRole("tab", { name: "YAML" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(focusedNode).toHaveAttribute("data-node-id", second ?? "");
});

test("a link to a resource opens the graph readable, and a click lays nothing out again", async ({ page, sandbox }) => {
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/web` });
  await expect(page.getByRole("complementary")).toBeVisible();
  await expect(page.getByRole("button", { name: "Zoom 100 %, set to 100 %" })).toBeVisible();
  const service = new EnvironmentPage(page).node("Service", "web");
  const before = await service.boundingBox();
  await service.click();
  await expect(page.getByRole("complementary")).toContainText("Service");
  expect(await service.boundingBox()).toEqual(before);
});

test("the drawer shows conditions, events and YAML of a resource", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging") });
  const view = new EnvironmentPage(page);
  const degraded = page
    .locator('[data-node-id][data-health="degraded"]')
    .and(page.getByRole("button", { name: /^Deployment / }))
    .first();
  await expect(degraded).toContainText("ImagePullBackOff");
  await expect(view.health).toHaveAttribute("data-health", "degraded");
  await degraded.press("Enter");
  const drawer = page.getByRole("complementary");
  await expect(drawer.getByRole("rowheader", { name: "Available" })).toBeVisible();
  await drawer.getByRole("tab", { name: "Events" }).click();
  await expect(drawer.getByText("ScalingReplicaSet").first()).toBeVisible();
  await drawer.getByRole("tab", { name: "YAML" }).click();
  await expect(drawer.getByText("kind: Deployment")).toBeVisible();
  await expect(drawer.getByText("managedFields")).toHaveCount(0);
});

test("the outsider reads the message of the blueprint, word for word", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "outsider", url: graphUrl(sandbox, "production") });
  const sentence =
    'You don\'t have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See ';
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.getByText(/demo.*group\/app.*outsider/)).toBeVisible();
});

test("an environment without resources shows the other message of the blueprint", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "preview") });
  await expect(
    page.getByText("There are no resources found for the environment. Do resources have Example Company preserved labels? See "),
  ).toBeVisible();
});

test("the index shows every environment with its health, and axe finds nothing on any page", async ({ page, sandbox }) => {
  const index = `${sandbox.endpoints.dashboard.replace(/\/$/, "")}/p/group/app/environments`;
  await signIn(page, sandbox, { username: "maintainer", url: index });
  const row = (name: string) => page.getByRole("row", { name: new RegExp(`\\b${name}\\b`) });
  await expect(row("production")).toContainText("Healthy");
  await expect(row("staging")).toContainText("Degraded");
  expect(await axeViolations(page)).toEqual([]);
  for (const view of ["summary", "graph", "list"]) {
    await page.goto(graphUrl(sandbox, "staging").replace("view=graph", `view=${view}`));
    await expect(page.getByText("ImagePullBackOff").first()).toBeVisible();
    expect(await axeViolations(page), view).toEqual([]);
  }
});
