// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { applyStaging } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** A rollout of two pods takes seconds on a machine that does nothing else. */
const SETTLED = { timeout: 90_000 };

const NAMESPACE = "action-kinds";

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
});

const direct = (namespace: string, ...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", namespace, ...args]);
const actionsIn = (page: Page) => page.getByRole("group", { name: "Actions" });
const resultIn = (page: Page) => page.getByRole("region", { name: "Result of the last action" });
const buttonIn = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

/** Opens the drawer of a resource, `group/resource/namespace/name`. */
async function openDrawer(page: Page, environment: string, sel: string): Promise<void> {
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, environment)}&sel=${sel}` });
  await expect(actionsIn(page)).toBeVisible();
}

test("a maintainer rolls back to the revision before, sees what changes, and rolls forward again", async ({ page }) => {
  const imageOf = () => direct(NAMESPACE, "get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}");
  const first = await imageOf();
  await direct(NAMESPACE, "set", "image", "deployment/web", "*=registry.example.test/shop/web:next");
  await openDrawer(page, NAMESPACE, `apps/deployments/${NAMESPACE}/web`);
  await buttonIn(actionsIn(page), "Roll back…").click();
  const dialog = page.getByRole("dialog", { name: "Roll back Deployment web" });
  await expect(dialog.getByLabel("Revision").locator("option").first()).toContainText(first);
  await expect(dialog.locator("[data-value=after]")).toContainText(first);
  expect(await axeViolations(page)).toEqual([]);
  await buttonIn(dialog, "Roll back").click();
  await expect(resultIn(page)).toHaveText(/^Done: rolled back/, SETTLED);
  expect(await imageOf()).toBe(first);
  await buttonIn(resultIn(page), "Undo…").click();
  await expect(dialog.locator("[data-value=after]")).toContainText("web:next");
  await buttonIn(dialog, "Roll back").click();
  await expect(resultIn(page)).toHaveText(/^Done: rolled back/, SETTLED);
  expect(await imageOf()).toContain("web:next");
});

test("a CronJob runs now: one Job, whose name the dialog shows before", async ({ page }) => {
  await openDrawer(page, NAMESPACE, `batch/cronjobs/${NAMESPACE}/weekly-cleanup`);
  await buttonIn(actionsIn(page), "Run now…").click();
  const dialog = page.getByRole("dialog", { name: "Run CronJob weekly-cleanup now" });
  const creation = dialog.locator("[data-change=creation]");
  await expect(creation).toHaveText(/^Creates Job weekly-cleanup-[0-9a-f]{8}\.$/);
  const name = /weekly-cleanup-[0-9a-f]{8}/.exec(await creation.innerText())?.[0] ?? "";
  await buttonIn(dialog, "Run now").dblclick();
  await expect(resultIn(page)).toContainText(`Done: created Job ${name}`, SETTLED);
  const jobs = await direct(NAMESPACE, "get", "jobs", "-o", "name");
  expect(jobs.split("\n").filter((each) => each.includes("weekly-cleanup"))).toEqual([`job.batch/${name}`]);
});

test("before an eviction the budget in the way is shown, before more replicas the quota, and after it the Events that report it", async ({
  page,
}) => {
  const statusOf = (object: string, path: string) => direct(NAMESPACE, "get", object, "-o", `jsonpath={.status.${path}}`);
  await direct(NAMESPACE, "create", "poddisruptionbudget", "web", "--selector=app.kubernetes.io/name=web", "--min-available=100%");
  await direct(NAMESPACE, "create", "quota", "tight", "--hard=pods=0");
  await expect.poll(() => statusOf("pdb/web", "desiredHealthy"), { timeout: 30_000 }).toBe("2");
  await expect.poll(() => statusOf("quota/tight", "used.pods"), { timeout: 30_000 }).not.toBe("");
  const pod = await direct(NAMESPACE, "get", "pods", "-l", "app.kubernetes.io/name=web", "-o", "jsonpath={.items[0].metadata.name}");
  const effectsIn = (dialog: Locator) => dialog.getByRole("region", { name: "What else happens" }).locator("[data-obstacle=true]");

  await openDrawer(page, NAMESPACE, `core/pods/${NAMESPACE}/${pod}`);
  await buttonIn(actionsIn(page), "Evict…").click();
  const eviction = page.getByRole("dialog", { name: `Evict Pod ${pod}` });
  await expect(effectsIn(eviction)).toHaveText(
    "PodDisruptionBudget web allows no disruption now: the eviction is refused until more pods are healthy.",
  );
  await expect(eviction.locator("[data-action-outcome=refused]")).toContainText("disruption budget");
  expect(await axeViolations(page)).toEqual([]);
  await buttonIn(eviction, "Cancel").click();

  await page.goto(`${graphUrl(sandbox, NAMESPACE)}&sel=apps/deployments/${NAMESPACE}/web`);
  await buttonIn(actionsIn(page), "Scale…").click();
  const scaling = page.getByRole("dialog", { name: "Scale Deployment web" });
  await scaling.getByLabel("Replicas").fill("3");
  await buttonIn(scaling, "Preview").click();
  await expect(effectsIn(scaling)).toHaveText(/^ResourceQuota tight is in the way: 1 more pods needed, \d+ of 0 used\.$/);
  await buttonIn(scaling, "Scale").click();
  const events = resultIn(page).getByRole("list", { name: "Events since the action" }).getByRole("listitem");
  await expect(events.first()).toContainText(/FailedCreate.*exceeded quota: tight/, SETTLED);
  expect(await axeViolations(page)).toEqual([]);
  await resultIn(page).getByRole("link", { name: "All Events" }).click();
  await expect(page.getByRole("tabpanel", { name: "Events" })).toContainText("exceeded quota: tight");

  await direct(NAMESPACE, "delete", "quota/tight", "pdb/web");
  await buttonIn(resultIn(page), "Undo…").click();
  await expect(scaling.locator("[data-value=after]")).toContainText("2");
  await buttonIn(scaling, "Scale").click();
  await expect(resultIn(page)).toHaveText(/^Done: scaled from 3 to 2/, SETTLED);
});

test("T53: in production an object is deleted only after its name was typed", async ({ page }) => {
  await direct("production", "create", "configmap", "doomed", "--from-literal=a=b");
  await openDrawer(page, "production", "core/configmaps/production/doomed");
  await buttonIn(actionsIn(page), "Delete…").click();
  const dialog = page.getByRole("dialog", { name: "Delete ConfigMap doomed" });
  await expect(dialog.locator("[data-change=removal]")).toHaveText("Deletes ConfigMap doomed.");
  const confirm = buttonIn(dialog, "Delete");
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  expect(await axeViolations(page)).toEqual([]);
  await dialog.locator("[data-typed-name]").fill("doom");
  await confirm.click({ force: true });
  await dialog.locator("[data-typed-name]").fill("doomed");
  await expect(confirm).toHaveAttribute("aria-disabled", "false");
  expect(await direct("production", "get", "configmap", "doomed", "-o", "name")).toContain("doomed");
  await confirm.click();
  await expect(resultIn(page)).toHaveText(/^Done: deleted/, SETTLED);
  expect(await direct("production", "get", "configmap", "doomed", "--ignore-not-found", "-o", "name")).toBe("");
});

test("T53: a developer sees roll back, run now, edit and delete disabled, each with the missing rule and a Role to copy", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const web = `apps/deployments/${NAMESPACE}/web`;
  const refused = [
    { sel: web, action: "Roll back", verb: "patch", resource: "deployments" },
    { sel: web, action: "Edit YAML", verb: "patch", resource: "deployments" },
    { sel: web, action: "Delete", verb: "delete", resource: "deployments" },
    { sel: `batch/cronjobs/${NAMESPACE}/weekly-cleanup`, action: "Run now", verb: "create", resource: "jobs" },
  ];
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, NAMESPACE) });
  for (const { sel, action, verb, resource } of refused) {
    await page.goto(`${graphUrl(sandbox, NAMESPACE)}&sel=${sel}`);
    const control = buttonIn(actionsIn(page), `${action}, not allowed`);
    await expect(control).toHaveAttribute("aria-disabled", "true");
    await control.focus();
    await page.keyboard.press("Enter");
    const why = page.getByRole("dialog", { name: `${action}, not allowed` });
    await expect(why).toContainText(`You may not ${verb} ${resource} in namespace ${NAMESPACE}.`);
    await buttonIn(why, "Copy Role").click();
    await expect(why).toContainText("Copied");
    const role = await page.evaluate(() => navigator.clipboard.readText());
    expect(role, action).toMatch(new RegExp(`kind: Role\\n[^]*- ${resource}\\n[^]*- ${verb}\\n`));
  }
});
