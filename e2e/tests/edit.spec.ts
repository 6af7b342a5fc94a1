// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { applyStaging } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "edit";
const SECRET = "canary-edit-5b";
const MAY_PATCH = ["auth", "can-i", "patch", "deployments", "-n", NAMESPACE, "--as=gitlab:user:developer"];

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
  await direct("create", "secret", "generic", "edited", `--from-literal=password=${SECRET}`);
});

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const minReady = () => direct("get", "deployment", "web", "-o", "jsonpath={.spec.minReadySeconds} {.metadata.labels.beneath}");
const editorIn = (page: Page) => page.getByRole("textbox", { name: /^YAML of / });

async function openTab(page: Page, selection: string): Promise<void> {
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, NAMESPACE)}&sel=${selection}&tab=yaml` });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editorIn(page)).toBeFocused();
}

/** Puts the cursor behind a text of the document. */
async function goBehind(page: Page, text: string): Promise<void> {
  await page.locator(".cm-line", { hasText: text }).first().click();
  await page.keyboard.press("End");
}

test("a key is completed, the change is reviewed and applied, and a change beneath it is not overwritten", async ({ page }) => {
  await openTab(page, `apps/deployments/${NAMESPACE}/web`);
  const dialog = page.getByRole("dialog", { name: "Edit Deployment web" });
  await goBehind(page, "replicas:");
  await page.keyboard.press("Enter");
  await page.keyboard.type("minRe");
  const option = page.getByRole("option", { name: /minReadySeconds/ });
  await expect(option, "completed from the cluster's schema").toBeVisible();
  // A completion takes no key until it has been visible for a moment: an Enter before that is a new line, which closes it.
  await expect(async () => {
    await page.keyboard.press("Enter");
    try {
      await expect(editorIn(page)).toContainText("minReadySeconds: ", { timeout: 500 });
    } catch (error) {
      for (const key of ["ArrowUp", "End", "Control+Space"]) await page.keyboard.press(key);
      throw error;
    }
  }).toPass();
  await page.keyboard.type("3");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editorIn(page), "Escape, then Tab, leaves the editor").not.toBeFocused();
  await expect(dialog, "Escape in the editor does not close the dialog").toBeVisible();
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await expect(dialog.getByRole("region", { name: "What changes" })).toContainText("minReadySeconds: 3");
  expect(await axeViolations(page)).toEqual([]);
  expect((await minReady()).trim(), "a preview changes nothing").toBe("");

  // The editor holds only the lines in sight: a label is at the top of the document, a new field at the end of its map.
  await direct("label", "deployment", "web", "beneath=changed");
  await dialog.getByRole("button", { name: "Apply changes" }).click();
  await expect(dialog.locator("[data-edit-outdated]")).toBeVisible();
  await dialog.getByRole("button", { name: "Place my changes on it", exact: true }).click();
  await expect(editorIn(page)).toContainText("beneath: changed");
  await editorIn(page).press("ControlOrMeta+End");
  await expect(editorIn(page)).toContainText("minReadySeconds: 3");
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await dialog.getByRole("button", { name: "Apply changes" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await minReady()).toBe("3 changed");
  await expect(page.getByRole("region", { name: "Result of the last action" })).toContainText(/Done: YAML changed/, { timeout: 90_000 });
});

test("XM1: a Secret is masked until its values are revealed, which is in the audit", async ({ page }) => {
  await openTab(page, `core/secrets/${NAMESPACE}/edited`);
  const dialog = page.getByRole("dialog", { name: "Edit Secret edited" });
  await expect(editorIn(page)).toContainText("*****");
  await dialog.getByRole("button", { name: "Reveal values" }).click();
  await expect(editorIn(page)).toContainText(btoa(SECRET));
  const revealed = () => logLines(sandbox, "web").filter(({ audit, name, verb }) => audit === true && name === "edited" && verb === "get");
  await expect.poll(revealed).toMatchObject([{ user: "maintainer", namespace: NAMESPACE, purpose: { action: "reveal" } }]);
  await goBehind(page, "password:");
  await page.keyboard.press("Enter");
  await page.keyboard.type("more: bW9yZQ==");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog.getByRole("alert"), "unsaved changes").toContainText("not applied");
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog).toHaveCount(0);
});

test("unsaved changes need a confirmation before Back, Escape or the browser leaves them", async ({ page }) => {
  const selection = `core/secrets/${NAMESPACE}/edited`;
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, NAMESPACE)}&sel=${selection}` });
  await page.getByRole("tab", { name: "YAML" }).click();
  const address = page.url();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Secret edited" });
  await expect(editorIn(page)).toBeFocused();
  await goBehind(page, "password:");
  await page.keyboard.press("Enter");
  await page.keyboard.type("more: bW9yZQ==");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Review changes" }).focus();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert")).toContainText("not applied");
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert"), "Escape again goes on editing").toHaveCount(0);
  await expect(editorIn(page)).toContainText("bW9yZQ==");

  const [closing] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(closing.type()).toBe("beforeunload");
  await closing.dismiss();

  await page.evaluate(() => history.back());
  await expect(dialog.getByRole("alert")).toContainText("not applied");
  expect(page.url(), "the page stays where it is").toBe(address);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(editorIn(page)).toContainText("bW9yZQ==");
  await page.evaluate(() => history.back());
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await expect(page, "then the step is taken").not.toHaveURL(address);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
});

test("T53: a right that is withdrawn after the page has reviewed it is refused by the cluster, in its words, and nothing is changed", async ({
  page,
  context,
}) => {
  await direct("set", "image", "deployment/web", "*=registry.example.test/shop/web:next");
  await direct("create", "configmap", "doomed", "--from-literal=a=b");
  const resources = "deployments.apps,cronjobs.batch,jobs.batch,configmaps";
  await direct("create", "role", "withdrawn", "--verb=get,list,create,patch,delete", `--resource=${resources}`);
  await direct("create", "rolebinding", "withdrawn", "--role=withdrawn", "--user=gitlab:user:developer");
  const before = await direct("get", "deployment", "web", "-o", "jsonpath={.metadata.generation}");
  const url = (selection: string) => `${graphUrl(sandbox, NAMESPACE)}&sel=${selection}`;
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, NAMESPACE) });

  const [web, doomed] = [`apps/deployments/${NAMESPACE}/web`, `core/configmaps/${NAMESPACE}/doomed`];
  const confirmed = [
    { sel: web, open: "Roll back…", title: "Roll back Deployment web", change: "[data-value=after]", confirm: "Roll back" },
    {
      sel: `batch/cronjobs/${NAMESPACE}/weekly-cleanup`,
      open: "Run now…",
      title: "Run CronJob weekly-cleanup now",
      change: "[data-change=creation]",
      confirm: "Run now",
    },
    { sel: doomed, open: "Delete…", title: "Delete ConfigMap doomed", change: "[data-change=removal]", confirm: "Delete" },
  ];
  const shown: { readonly dialog: Locator; readonly confirm: Locator }[] = [];
  for (const { sel, open, title, change, confirm } of confirmed) {
    const other = await context.newPage();
    await other.goto(url(sel));
    await other.getByRole("group", { name: "Actions" }).getByRole("button", { name: open, exact: true }).click();
    const dialog = other.getByRole("dialog", { name: title });
    await expect(dialog.locator(change)).toBeVisible();
    shown.push({ dialog, confirm: dialog.getByRole("button", { name: confirm, exact: true }) });
  }
  await page.goto(`${url(web)}&tab=yaml`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(editorIn(page)).toBeFocused();
  await goBehind(page, "replicas:");
  await page.keyboard.press("Enter");
  await page.keyboard.type("paused: true");
  await page.keyboard.press("Escape");
  const editor = page.getByRole("dialog", { name: "Edit Deployment web" });
  await editor.getByRole("button", { name: "Review changes" }).click();
  const apply = editor.getByRole("button", { name: "Apply changes" });
  await expect(apply).toBeEnabled();
  shown.push({ dialog: editor, confirm: apply });

  await direct("delete", "rolebinding", "withdrawn");
  const may = async () => (await runKubectl(sandbox.endpoints.kubeconfigs.cluster, MAY_PATCH)).stdout.trim();
  await expect.poll(may).toBe("no");
  for (const { dialog, confirm } of shown) {
    await confirm.click();
    await expect(dialog).toContainText(/"gitlab:user:developer" cannot (create|patch|delete) resource "(deployments|jobs|configmaps)"/);
  }
  expect(await direct("get", "deployment", "web", "-o", "jsonpath={.metadata.generation}")).toBe(before);
  expect(await direct("get", "configmap", "doomed", "-o", "name")).toContain("doomed");
  expect(await direct("get", "jobs", "-o", "name")).not.toContain("weekly-cleanup");
});
