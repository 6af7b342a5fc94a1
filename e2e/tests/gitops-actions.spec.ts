// needs: control-plane
import { GitopsAskOutcome, GitopsRight, GitopsWish } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import type { Locator, Page } from "@playwright/test";

import { openDashboard } from "../support/dashboard-client.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { repositoryOf, writeProduction } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { syncEnded } from "../support/sync-ended.ts";

const NAMESPACE = "gitops-actions";
/** Of the manifests in the project's repository. */
const FOLDER = "manifests";

/** The agent looks each ten seconds, the page each second. */
const LATE_MS = 40_000;

let sandbox: Sandbox;
let clone: ManifestClone;
/** Name of the inventory's ConfigMap. */
let inventory: string;

test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  clone = await ManifestClone.of(repositoryOf(sandbox, NAMESPACE));
  writeProduction(clone, { folder: FOLDER, environment: NAMESPACE });
  expect(await syncEnded(sandbox, await clone.push("Deploy what production has"))).toMatchObject({ state: "synced", failed: 0 });
  const find = () => direct("get", "configmaps", "-l", "cli-utils.sigs.k8s.io/inventory-id", "-o", "jsonpath={.items[*].metadata.name}");
  await expect.poll(find).not.toBe("");
  inventory = await find();
});

test.afterAll(() => clone?.dispose());

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const exists = async (kind: string, name: string): Promise<boolean> =>
  (await runKubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, "get", kind, name])).code === 0;

/** Opens the environment's summary as a user. @returns the card of the sync, and the pill */
async function openCard(page: Page, username: string): Promise<{ readonly card: Locator; readonly pill: Locator }> {
  await signIn(page, sandbox, { username, url: graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=summary") });
  const [card, pill] = [page.locator("[data-sync-of]"), page.locator("[data-sync]")];
  await expect(card).toBeVisible();
  return { card, pill };
}

const target = () => ({ projectPath: "group/app", environment: NAMESPACE, inventoryNamespace: NAMESPACE, inventoryName: inventory });

/** What web's audit says of changes of the inventory. */
const audited = (wish: string) =>
  logLines(sandbox, "web").filter(
    ({ audit, namespace, purpose }) =>
      audit === true && namespace === NAMESPACE && (purpose as { wish?: string } | undefined)?.wish === wish,
  );

/** What it says of actions on the inventory that were confirmed in a dialog. */
const performed = (action: string) =>
  logLines(sandbox, "web").filter(
    ({ audit, dry_run: dryRun, event, purpose }) =>
      audit === true && dryRun === false && event === "complete" && (purpose as { action?: string } | undefined)?.action === action,
  );

test("who may pauses, resumes and syncs a project by buttons, and the log says who did", async ({ page }) => {
  const { card, pill } = await openCard(page, "maintainer");
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });

  await card.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await card.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
  await expect(card.locator("[data-request=written]")).toContainText(/^Pause requested at .*, waiting for the agent$/);
  await expect(pill).toHaveAttribute("data-sync", "Paused", { timeout: LATE_MS });
  await expect(card.locator("[data-request]")).toHaveText("");
  await expect.poll(() => audited("pause").length).toBe(1);
  expect(audited("pause")[0]).toMatchObject({
    user: "maintainer",
    as: "gitlab:user:maintainer",
    outcome: "done",
    verb: "patch",
    resource: "configmaps",
    namespace: NAMESPACE,
    name: inventory,
    purpose: { environment: NAMESPACE, commit: await clone.head() },
  });

  await expect(card.getByRole("button", { name: "Sync now" })).toHaveCount(0);
  await card.getByRole("button", { name: "Resume" }).click();
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });

  await direct("delete", "service", "api");
  await card.getByRole("button", { name: "Sync now" }).click();
  await expect(card.locator("[data-request=written]")).toContainText("Sync requested at");
  await expect.poll(() => exists("service", "api"), { timeout: LATE_MS }).toBe(true);
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });
  await expect(card.locator("[data-request]")).toHaveText("", { timeout: LATE_MS });

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("sync now (gitops");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Sync now \(GitOps of /);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Sync .* now$/ });
  await dialog.getByRole("button", { name: "Sync now" }).click();
  await expect(dialog).toHaveCount(0);
  const done = { user: "maintainer", name: inventory, verb: "patch", outcome: "done" };
  await expect.poll(() => performed("sync"), "by the command palette").toMatchObject([done]);
});

test("the dialog of an action on what is applied from Git offers the link of its file first", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, NAMESPACE)}&sel=apps/deployments/${NAMESPACE}/web` });
  await page.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Restart…" }).click();
  const dialog = page.getByRole("dialog", { name: "Restart Deployment web" });
  await expect(dialog.locator("[data-value=after]")).toBeVisible();
  await expect(dialog).toContainText(/Applied from .+\. Change it there: the next sync from Git may reverse this action\./);
  const file = `${FOLDER}/20-web.yaml`;
  const link = dialog.locator("a[href], button:not([aria-label]), input").first();
  await expect(link, "before whatever acts").toContainText(file);
  await expect(link).toHaveAttribute("href", new RegExp(`/-/blob/${await clone.head()}/${file}#L\\d+$`));
});

test("T33: a viewer who may only look has no button, and direct requests are rejected by the cluster and by us", async ({ page }) => {
  const { card } = await openCard(page, "developer");
  await expect(card).toContainText(`You may only read: the cluster does not let you patch ConfigMap ${NAMESPACE}/${inventory}.`);
  await expect(card.getByRole("button")).toHaveCount(0);
  await card.locator("summary").click();
  await expect(card).toContainText("gitops.binnacle/paused=true");

  const before = await direct("get", "configmap", inventory, "-o", "jsonpath={.metadata.annotations}");
  const developer = await openDashboard(sandbox, "developer");
  const refused = await developer.askGitops({ target: target(), wish: GitopsWish.PAUSE });
  expect(refused.outcome).toBe(GitopsAskOutcome.REFUSED);
  expect(refused.words && renderEnglish(fromWordsMessage(refused.words))).toMatch(/gitlab:user:developer.* cannot patch/);
  expect(await direct("get", "configmap", inventory, "-o", "jsonpath={.metadata.annotations}")).toBe(before);

  // Who may patch every ConfigMap there patches none but the inventory by this way.
  const maintainer = await openDashboard(sandbox, "maintainer");
  expect((await maintainer.reviewGitops({ target: target() })).right).toBe(GitopsRight.ALLOWED);
  for (const forged of [{ inventoryName: "kube-root-ca.crt" }, { inventoryNamespace: "staging" }, { environment: "staging" }]) {
    const asking = maintainer.askGitops({ target: { ...target(), ...forged }, wish: GitopsWish.PAUSE });
    await expect(asking).rejects.toMatchObject({ code: Code.NotFound });
  }
});

test("B3: an image that a user sets is out of sync within seconds, is kept, and is applied from Git again", async ({ page }) => {
  const { card, pill } = await openCard(page, "maintainer");
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });
  const images = () => direct("get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[*].image}");
  const before = await images();
  const container = await direct("get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].name}");
  // A report with what was applied is on the page before.
  await expect(card).toContainText("Last sync");
  await direct("set", "image", "deployment/web", `${container}=registry.invalid/web:by-hand`);
  await expect(pill).toHaveAttribute("data-sync", "Out of sync", { timeout: 5_000 });
  await expect(pill).toContainText("1 object");
  const drifted = card.locator("[data-drift] li");
  await expect(drifted).toContainText(`Deployment ${NAMESPACE}/web`);
  await expect(drifted).toContainText(/changed by hand: image, by kubectl-set (\d+ s|now)/);

  await drifted.getByRole("button", { name: "Keep" }).click();
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });
  const kept = card.locator("[data-kept] li");
  await expect(kept).toContainText(/image kept by maintainer since/);
  await expect(kept).not.toContainText("unverified");
  expect(await images()).toContain("by-hand");
  await expect
    .poll(() => audited("keep"))
    .toMatchObject([{ user: "maintainer", outcome: "done", purpose: { object: `${NAMESPACE}_web_apps_Deployment` } }]);

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await kept.getByRole("button", { name: "Copy as YAML" }).click();
  await expect(kept).toContainText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("image: registry.invalid/web:by-hand");
  expect(copied, "only what leads to the field").not.toMatch(/status:|managedFields|resourceVersion/);

  await kept.getByRole("button", { name: "Undo" }).click();
  await expect(pill).toHaveAttribute("data-sync", "Out of sync", { timeout: LATE_MS });
  await expect(card.locator("[data-kept]")).toHaveCount(0);
  await drifted.getByRole("button", { name: "Apply from Git" }).click();
  await expect(pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });
  expect(await images()).toBe(before);
  const annotations = await direct("get", "configmap", inventory, "-o", "jsonpath={.metadata.annotations}");
  expect(annotations).not.toMatch(/take-over|kept-fields/);
});

test("a prune that is held goes on with a consent to its commit", async ({ page }) => {
  const { card, pill } = await openCard(page, "maintainer");
  await expect(card.getByRole("button", { name: "Sync now" })).toBeVisible();
  await expect(card.getByRole("button", { name: "Consent to prune…" })).toHaveCount(0);
  for (const file of ["10-configuration", "30-api", "50-background"]) await clone.remove(`${FOLDER}/${file}.yaml`);
  const commit = await clone.push("Move most of it away");
  await expect(pill).toContainText("prune held", { timeout: LATE_MS });
  expect(await exists("service", "api")).toBe(true);

  await card.getByRole("button", { name: "Consent to prune…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/\d+ of \d+ objects of the inventory would be pruned/);
  await expect(dialog).toContainText("Move most of it away");
  await dialog.getByRole("button", { name: `Prune for ${commit.slice(0, 8)}` }).click();
  await expect(card.locator("[data-request=written]")).toContainText(`Consent to prune for ${commit.slice(0, 8)} given at`);
  await expect.poll(() => exists("service", "api"), { timeout: LATE_MS }).toBe(false);
  await expect(pill).not.toContainText("prune held", { timeout: LATE_MS });
  await expect(card.getByRole("button", { name: "Consent to prune…" })).toHaveCount(0);
  expect(await exists("service", "web")).toBe(true);
  await expect.poll(() => audited("consent")).toMatchObject([{ user: "maintainer", outcome: "done", purpose: { commit } }]);
});
