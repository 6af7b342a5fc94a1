// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { applyStaging } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "action-pages";
const BROKEN = "nosuch.invalid/shop/payments:2.3.0";
const GOOD = "registry.example.test/shop/payments:2.3.1";
/** A rollout of two pods takes seconds on a machine that does nothing else. */
const SETTLED = { timeout: 90_000 };

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
});

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const valueOf = (name: string, path: string) => direct("get", "deployment", name, "-o", `jsonpath={${path}}`);

const drawerUrl = (name: string) => `${graphUrl(sandbox, NAMESPACE)}&sel=apps/deployments/${NAMESPACE}/${name}`;
const actionsIn = (page: Page) => page.getByRole("group", { name: "Actions" });
const resultIn = (page: Page) => page.getByRole("region", { name: "Result of the last action" });
const buttonIn = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

/** Outcomes of a request; what web answers without one has others. */
const SENT: readonly string[] = ["done", "refused", "unknown"];

/** Requests that web has sent for an action in the namespace, without dry runs. */
const sentActions = (name: string) =>
  logLines(sandbox, "web").filter(
    ({ audit, dry_run: dryRun, namespace, name: of, outcome }) =>
      audit === true && dryRun === false && namespace === NAMESPACE && of === name && SENT.includes(String(outcome)),
  );

async function openDrawer(page: Page, username: string, name: string): Promise<void> {
  await signIn(page, sandbox, { username, url: drawerUrl(name) });
  await expect(actionsIn(page)).toBeVisible();
}

test("a maintainer sets the image of a broken rollout from the page, sees it become healthy, and undoes it with one press", async ({
  page,
}) => {
  await openDrawer(page, "maintainer", "payments");
  await expect(page.getByRole("tabpanel")).toContainText("Degraded");
  await buttonIn(actionsIn(page), "Set image…").click();
  const dialog = page.getByRole("dialog", { name: "Set image of Deployment payments" });
  const image = dialog.getByLabel("Image of app");
  await expect(image, "the image that it has now").toHaveValue(BROKEN);
  await expect(image).toBeFocused();
  await expect(page.locator("main [role=dialog], aside [role=dialog]"), "a part of the page can cover what is in it only").toHaveCount(0);
  await image.fill(GOOD);
  await image.press("Enter");
  await expect(dialog.locator("[data-value=before]")).toContainText(BROKEN);
  await expect(dialog.locator("[data-value=after]")).toContainText(GOOD);
  await expect(dialog).toContainText("2 pods are replaced.");
  expect(await valueOf("payments", ".spec.template.spec.containers[0].image"), "a preview changes nothing").toBe(BROKEN);

  await buttonIn(dialog, "Set image").dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(buttonIn(actionsIn(page), "Set image…"), "the focus comes back").toBeFocused();
  await expect(resultIn(page)).toHaveText(/Done: app has image registry\.example\.test\/shop\/payments:2\.3\.1/, SETTLED);
  await expect(page.getByRole("tabpanel")).toContainText("Healthy");
  await expect(page.locator("[data-announcement]")).toHaveText(/^Done: app has image/);
  await direct("rollout", "status", "deployment/payments", "--timeout=10s");
  await expect.poll(() => sentActions("payments").length, "a double click sends once").toBe(1);

  // Closed and opened again, the result is there.
  await page.keyboard.press("Escape");
  await expect(resultIn(page)).toHaveCount(0);
  await page.goBack();
  await expect(resultIn(page)).toContainText("Done: app has image");
  await buttonIn(resultIn(page), "Undo…").click();
  await expect(dialog.locator("[data-value=after]"), "the reverse is previewed at once").toContainText(BROKEN);
  await buttonIn(dialog, "Set image").click();
  await expect(resultIn(page)).toHaveText(/^Failed: /, SETTLED);
  expect(await valueOf("payments", ".spec.template.spec.containers[0].image")).toBe(BROKEN);
});

test("T53: a developer sees what they may not do, why, and the Role to ask for; with it the same button acts", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDrawer(page, "developer", "web");
  const scale = buttonIn(actionsIn(page), "Scale, not allowed");
  await expect(scale).toHaveAttribute("aria-disabled", "true");
  await scale.focus();
  await page.keyboard.press("Enter");
  const why = page.getByRole("dialog", { name: "Scale, not allowed" });
  await expect(why).toContainText(`You may not patch deployments/scale in namespace ${NAMESPACE}.`);
  await buttonIn(why, "Copy Role").click();
  const role = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");
  await expect(why).toHaveCount(0);
  await expect(scale).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("scale not allowed");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Scale, not allowed \(Deployment web\)/);
  await page.keyboard.press("Enter");
  await expect(why, "the palette leads to the reason").toContainText("You may not patch deployments/scale");
  await page.keyboard.press("Escape");

  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], role);
  await direct("create", "rolebinding", "scale-page", "--role=binnacle-patch-deployments-scale", "--user=gitlab:user:developer");
  // Rights are reviewed anew after 30 s.
  await expect(async () => {
    await page.reload();
    await buttonIn(actionsIn(page), "Scale…").click({ timeout: 5_000 });
  }).toPass();
  const dialog = page.getByRole("dialog", { name: "Scale Deployment web" });
  await dialog.getByLabel("Replicas").fill("3");
  await page.keyboard.press("Enter");
  await buttonIn(dialog, "Scale").click();
  await expect(resultIn(page)).toHaveText(/^Done: scaled from \d+ to 3/, SETTLED);
  expect(await valueOf("web", ".spec.replicas")).toBe("3");
  await expect(buttonIn(actionsIn(page), "Restart, not allowed"), "that Role is for nothing else").toBeVisible();
});

test("a value that changes between preview and confirmation is not overwritten, and can be previewed again", async ({ page }) => {
  await direct("scale", "deployment/web", "--replicas=2");
  await openDrawer(page, "maintainer", "web");
  await buttonIn(actionsIn(page), "Scale…").click();
  const dialog = page.getByRole("dialog", { name: "Scale Deployment web" });
  await dialog.getByLabel("Replicas").fill("5");
  await page.keyboard.press("Enter");
  await expect(dialog.locator("[data-value=before]")).toContainText("2");
  await direct("scale", "deployment/web", "--replicas=4");
  await buttonIn(dialog, "Scale").click();
  await expect(dialog.locator("[data-action-outcome=conflict]")).toHaveText(
    "Changed meanwhile: spec.replicas is 4 now, not 2: nothing was changed.",
  );
  for (const [key, value] of Object.entries({ before: "2", after: "5", present: "4" }))
    await expect(dialog.locator(`[data-value=${key}] dd`)).toHaveText(value);
  expect(await valueOf("web", ".spec.replicas")).toBe("4");

  await buttonIn(dialog, "Preview again").click();
  await expect(dialog.locator("[data-value=before] dd")).toHaveText("4");
  await buttonIn(dialog, "Scale").click();
  await expect(resultIn(page)).toHaveText(/^Done: scaled from 4 to 5/, SETTLED);

  await buttonIn(actionsIn(page), "Scale…").click();
  await dialog.getByLabel("Replicas").fill("5");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("Nothing to change: the field has this value already.");
  await expect(buttonIn(dialog, "Scale")).toHaveAttribute("aria-disabled", "true");
});

const ACT = "**/dashboard.v1.Dashboard/Act";
const PREVIEW = "**/dashboard.v1.Dashboard/PreviewAction";

/** Opens the dialog of a scale and waits for its preview. */
async function previewScale(page: Page, replicas: string): Promise<Locator> {
  await buttonIn(actionsIn(page), "Scale…").click();
  const dialog = page.getByRole("dialog", { name: "Scale Deployment web" });
  await dialog.getByLabel("Replicas").fill(replicas);
  await page.keyboard.press("Enter");
  await expect(dialog.locator("[data-value=after]")).toBeVisible();
  return dialog;
}

test("of two users who act on one resource at once the later one overwrites nothing; both see what holds, and the journal names who did it", async ({
  page,
  browser,
}) => {
  await direct("scale", "deployment/web", "--replicas=2");
  // Who may scale by the Role of the test above.
  await openDrawer(page, "developer", "web");
  await page.getByRole("tab", { name: "Events" }).click();
  const events = page.getByRole("tabpanel", { name: "Events" });
  await expect(events, "the journal has begun").toContainText(/changes? .*since/);
  const dialog = await previewScale(page, "3");
  await expect(dialog.locator("[data-value=before]")).toContainText("2");

  const other = await browser.newPage();
  await openDrawer(other, "maintainer", "web");
  const before = await previewScale(other, "5");
  await buttonIn(before, "Scale").click();
  await expect(resultIn(other)).toHaveText(/^Done: scaled from 2 to 5/, SETTLED);

  await buttonIn(dialog, "Scale").click();
  await expect(dialog.locator("[data-action-outcome=conflict]")).toHaveText(
    "Changed meanwhile: spec.replicas is 5 now, not 2: nothing was changed.",
  );
  for (const [key, value] of Object.entries({ before: "2", after: "3", present: "5" }))
    await expect(dialog.locator(`[data-value=${key}] dd`)).toHaveText(value);
  expect(await valueOf("web", ".spec.replicas")).toBe("5");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const change = events.getByRole("listitem").filter({ hasText: /spec\.replicas\s*2 → 5/ });
  await expect(change).toContainText(/from Binnacle \(scale\), by .+ \(@maintainer\)/);
  for (const shown of [page, other])
    await expect(shown.getByRole("button", { name: /^Deployment web in .*, 5\/5 ready/ }), "what holds").toBeVisible();
  await other.close();
});

test("the page reads the resource after a lost answer: once by itself, and on Check while it is not known; nothing is sent again", async ({
  page,
}) => {
  await direct("scale", "deployment/web", "--replicas=2");
  await openDrawer(page, "maintainer", "web");
  const before = sentActions("web").length;
  const dialog = await previewScale(page, "3");
  // The network breaks once the server has answered, and stays away for readings.
  await page.route(ACT, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  let readings = 0;
  await page.route(PREVIEW, (route) => {
    readings += 1;
    return route.abort("connectionreset");
  });
  await buttonIn(dialog, "Scale").click();
  await expect(dialog.locator("[data-action-outcome=unknown]")).toContainText("Not known whether it was done");
  await expect.poll(() => readings, "the resource is read by itself").toBe(1);
  await expect(dialog.locator("[data-action-outcome=unknown]")).toContainText("Not known whether it was done");
  await page.unroute(ACT);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Deployment payments[ ,]/ }).click();
  await expect(page.getByRole("heading", { name: "payments", exact: true })).toBeVisible();
  await expect(resultIn(page), "each resource has its own").toHaveCount(0);
  await page.getByRole("button", { name: /^Deployment web[ ,]/ }).click();
  await expect(resultIn(page)).toContainText("Not known whether it was done");
  await expect.poll(() => sentActions("web").length, "nothing is sent again by itself").toBe(before + 1);
  expect(readings, "once").toBe(1);
  await page.unroute(PREVIEW);
  await buttonIn(resultIn(page), "Check").click();
  await expect(resultIn(page)).toHaveText(/^Done: scaled from 2 to 3/, SETTLED);
  expect(sentActions("web"), "it had been done").toHaveLength(before + 1);
});

test("a request that never arrived is not done, and Try again sends it once", async ({ page }) => {
  await direct("scale", "deployment/web", "--replicas=2");
  await openDrawer(page, "maintainer", "web");
  const before = sentActions("web").length;
  const dialog = await previewScale(page, "3");
  await page.route(ACT, (route) => route.abort("connectionreset"));
  await buttonIn(dialog, "Scale").click();
  await expect(dialog.locator("[data-action-outcome=not-done]")).toContainText("Not done: the resource is as it was before.");
  expect(sentActions("web")).toHaveLength(before);
  await page.unroute(ACT);
  await buttonIn(dialog, "Try again").click();
  await expect(dialog).toHaveCount(0);
  await expect(resultIn(page)).toHaveText(/^Done: scaled from 2 to 3/, SETTLED);
  await expect.poll(() => sentActions("web").length).toBe(before + 1);
});

test("with the keyboard alone: from a card to its actions, through the dialog and back; the palette has them, too", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, NAMESPACE) });
  const card = page.getByRole("button", { name: /^Deployment web[ ,]/ });
  await card.focus();
  await page.keyboard.press("a");
  const restart = buttonIn(actionsIn(page), "Restart…");
  await expect(restart).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Restart Deployment web" });
  await expect(dialog.locator("[data-value=after]")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(restart).toBeFocused();
  expect(sentActions("web").filter(({ purpose }) => (purpose as { action?: string }).action === "restart")).toHaveLength(0);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("pause (deployment web");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Pause \(Deployment web\)/);
  await page.keyboard.press("Enter");
  const pause = page.getByRole("dialog", { name: "Pause rollouts of Deployment web" });
  await expect(pause.locator("[data-value=after]")).toContainText("true");
  const confirm = buttonIn(pause, "Pause");
  for (let tabs = 0; tabs < 6 && !(await confirm.evaluate((button) => button === document.activeElement)); tabs += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(resultIn(page)).toHaveText(/^Done: rollouts are paused/, SETTLED);
  expect(await valueOf("web", ".spec.paused")).toBe("true");
  await expect(buttonIn(actionsIn(page), "Resume…"), "what can be done now is offered").toBeVisible();
  await buttonIn(resultIn(page), "Undo…").click();
  await buttonIn(page.getByRole("dialog", { name: "Resume rollouts of Deployment web" }), "Resume").click();
  await expect(resultIn(page)).toHaveText(/^Done: rollouts are resumed/, SETTLED);
});

test("the menu of a card has the same actions: by its key with arrows, by the right button in the list; a link keeps the browser's", async ({
  page,
}) => {
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, NAMESPACE) });
  const card = page.getByRole("button", { name: /^Deployment payments[ ,]/ });
  await card.focus();
  await page.keyboard.press("ContextMenu");
  const menu = page.getByRole("menu", { name: "Actions of Deployment payments" });
  await expect(menu.getByRole("menuitem", { name: "Restart, not allowed" })).toBeVisible();
  await expect(menu.getByRole("menuitem", { name: "Open details" })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(card).toBeFocused();
  await page.keyboard.press("ContextMenu");
  await expect(menu.getByRole("menuitem", { name: "Restart, not allowed" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Restart, not allowed" }), "what is refused leads to its reason").toContainText(
    "Missing rule",
  );

  await page.goto(graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list"));
  const row = page.locator(`[role=row][data-node-id="apps/Deployment/${NAMESPACE}/payments"]`);
  await row.click({ button: "right", position: { x: 90, y: 12 } });
  await expect(menu).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(menu).toHaveCount(0);
  await row.getByRole("link").first().click({ button: "right" });
  await expect(menu).toHaveCount(0);
});

test("axe finds nothing on the bar, the dialog and a reason, light and dark", async ({ page }) => {
  await openDrawer(page, "maintainer", "web");
  await buttonIn(actionsIn(page), "Scale…").click();
  const dialog = page.getByRole("dialog", { name: "Scale Deployment web" });
  await dialog.getByLabel("Replicas").fill("9");
  await page.keyboard.press("Enter");
  await expect(dialog.locator("[data-value=after]")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
});

test("no action is offered or queried while updates are paused", async ({ page }) => {
  await openDrawer(page, "maintainer", "web");
  await page.keyboard.press("h");
  await expect(page.getByText("Actions are not available while updates are paused.")).toBeVisible();
  await expect(actionsIn(page)).toHaveCount(0);
  await page.keyboard.press("h");
  await expect(actionsIn(page)).toBeVisible();
});

test("one action on many: what is refused says so, the rest is done after one confirmation, and each says what became of it", async ({
  page,
}) => {
  const url = graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list");
  await signIn(page, sandbox, { username: "maintainer", url });
  const row = (name: string) => page.locator(`[role=row][data-node-id="apps/Deployment/${NAMESPACE}/${name}"]`);
  for (const name of ["web", "importer", "checkout"]) await row(name).locator("[data-choose]").click();
  await buttonIn(page.getByRole("region", { name: "What is chosen" }), "Actions…").click();
  const dialog = page.getByRole("dialog", { name: "Act on 3 resources" });
  await dialog.getByRole("button", { name: "Restart", exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText("3 allowed");
  expect(await axeViolations(page)).toEqual([]);
  const before = sentActions("web").length;
  await buttonIn(dialog, "Restart 3 resources").click();
  const item = (name: string) => dialog.getByRole("listitem").filter({ hasText: name });
  await expect(item("web")).toContainText("Done: restarted", SETTLED);
  await expect(item("importer"), "its rollouts are paused").toContainText(
    "Nothing was changed: the rollout is paused: resume it, then restart.",
  );
  await expect(item("checkout")).toHaveAttribute("data-action-state", "written");
  await expect(dialog.getByRole("status")).toHaveText("2 sent, 1 not sent");
  await expect.poll(() => sentActions("web").length).toBe(before + 1);
  await buttonIn(dialog, "Close").last().click();
  await page.goto(drawerUrl("web"));
  await expect(actionsIn(page)).toBeVisible();
});

test("cards of the graph are chosen with Shift and a click or by key, to act on all of them; Escape leaves none", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, NAMESPACE) });
  const card = (name: string) => page.locator(`[data-detail] [data-node-id="apps/Deployment/${NAMESPACE}/${name}"]`);
  const chosen = page.getByRole("region", { name: "What is chosen" });
  await card("web").click({ modifiers: ["Shift"] });
  await expect(card("web")).toHaveAccessibleName(/, chosen$/);
  await expect(page, "nothing is opened").not.toHaveURL(/sel=/);
  await card("payments").focus();
  await page.keyboard.press("x");
  await expect(chosen.getByRole("status").first()).toHaveText("2 chosen");
  expect(await axeViolations(page)).toEqual([]);
  await buttonIn(chosen, "Actions…").click();
  const dialog = page.getByRole("dialog", { name: "Act on 2 resources" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(buttonIn(chosen, "Actions…"), "focus is back before it goes on").toBeFocused();
  await card("payments").focus();
  await page.keyboard.press("x");
  await expect(chosen.getByRole("status").first()).toHaveText("1 chosen");
  // The tip of the card, where it is shown by now, takes the first Escape.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(chosen).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect(card("web")).toHaveAttribute("data-chosen", "false");
});
