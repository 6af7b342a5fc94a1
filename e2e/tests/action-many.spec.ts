// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { applyStaging } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "action-many";
const IMAGE = "registry.example.test/shop/web:9.9.9";
const SETTLED = { timeout: 90_000 };

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
});

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const valueOf = (resource: string, path: string) => direct("get", resource, "-o", `jsonpath={${path}}`);
const actionsIn = (page: Page) => page.getByRole("group", { name: "Actions" });
const buttonIn = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

test("labels and annotations are changed from the drawer: a wrong key says why, the preview shows each, and the reverse restores them", async ({
  page,
}, info) => {
  await direct("label", "service/web", "tier=front", "--overwrite");
  await signIn(page, sandbox, { username: "maintainer", url: `${graphUrl(sandbox, NAMESPACE)}&sel=core/services/${NAMESPACE}/web` });
  await buttonIn(actionsIn(page), "Edit labels…").click();
  const dialog = page.getByRole("dialog", { name: "Edit labels and annotations of Service web" });
  await dialog.getByLabel("tier, Value").fill("back");
  await buttonIn(dialog, "Add annotation").click();
  await dialog.getByLabel("Key", { exact: true }).fill("not a key");
  await dialog.getByLabel("not a key, Value").fill("shop");
  await expect(dialog.locator("[data-label-problem]")).toContainText("Key not a key is not valid");
  await expect(buttonIn(dialog, "Preview")).toHaveAttribute("aria-disabled", "true");
  expect(await axeViolations(page)).toEqual([]);
  await dialog.screenshot({ path: info.outputPath("labels-problem.png") });
  await dialog.getByLabel("Key", { exact: true }).fill("example.com/owner");
  await buttonIn(dialog, "Preview").click();
  await expect(dialog.locator("[data-value=after]")).toHaveText([/back/, /shop/]);
  await dialog.screenshot({ path: info.outputPath("labels-preview.png") });
  await buttonIn(dialog, "Apply labels").click();
  const result = page.getByRole("region", { name: "Result of the last action" });
  await expect(result).toContainText("Done: labels and annotations changed");
  expect(await valueOf("service/web", ".metadata.labels.tier")).toBe("back");
  expect(await valueOf("service/web", ".metadata.annotations.example\\.com/owner")).toBe("shop");
  await buttonIn(result, "Undo…").click();
  await expect(dialog.locator("[data-value=after]").first()).toContainText("front");
  await buttonIn(dialog, "Apply labels").click();
  await expect.poll(() => valueOf("service/web", ".metadata.labels.tier")).toBe("front");
  expect(await valueOf("service/web", ".metadata.annotations.example\\.com/owner")).toBe("");
});

test("many are scaled to one number, get one image and are deleted, each after one confirmation", async ({ page }, info) => {
  for (const name of ["many-one", "many-two"]) await direct("create", "deployment", name, `--image=${IMAGE.replace("9.9.9", "1.0.0")}`);
  const url = graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list");
  await signIn(page, sandbox, { username: "maintainer", url });
  const row = (name: string) => page.locator(`[role=row][data-node-id="apps/Deployment/${NAMESPACE}/${name}"]`);
  const chosen = page.getByRole("region", { name: "What is chosen" });
  for (const name of ["many-one", "many-two"]) await row(name).locator("[data-choose]").click();

  await buttonIn(chosen, "Actions…").click();
  let dialog = page.getByRole("dialog", { name: "Act on 2 resources" });
  await buttonIn(dialog, "Scale").click();
  await expect(dialog.getByRole("status")).toHaveText("2 allowed");
  await expect(buttonIn(dialog, "Scale 2 resources"), "there is no number yet").toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("Replicas").fill("2");
  await dialog.screenshot({ path: info.outputPath("many-scale.png") });
  await buttonIn(dialog, "Scale 2 resources").click();
  await expect(dialog.getByRole("status")).toHaveText("2 sent", SETTLED);
  await expect(dialog.locator("[data-many=ended]"), "each has its answer").toBeVisible(SETTLED);
  for (const name of ["many-one", "many-two"]) expect(await valueOf(`deployment/${name}`, ".spec.replicas")).toBe("2");
  await buttonIn(dialog, "Close").last().click();

  await row("web").locator("[data-choose]").click();
  await buttonIn(chosen, "Actions…").click();
  dialog = page.getByRole("dialog", { name: "Act on 3 resources" });
  await buttonIn(dialog, "Set image").click();
  await expect(dialog.locator("[data-many-container=none]"), "one has container app, the others web").toContainText(
    "share no container name",
  );
  await expect(buttonIn(dialog, "Set image 3 resources")).toHaveAttribute("aria-disabled", "true");
  await dialog.screenshot({ path: info.outputPath("many-no-container.png") });
  await buttonIn(dialog, "Cancel").click();
  await row("web").locator("[data-choose]").click();

  await buttonIn(chosen, "Actions…").click();
  dialog = page.getByRole("dialog", { name: "Act on 2 resources" });
  await buttonIn(dialog, "Set image").click();
  await dialog.getByLabel("Image", { exact: false }).fill(IMAGE);
  await buttonIn(dialog, "Set image 2 resources").click();
  await expect(dialog.getByRole("status")).toHaveText("2 sent", SETTLED);
  await expect(dialog.locator("[data-many=ended]"), "each has its answer").toBeVisible(SETTLED);
  for (const name of ["many-one", "many-two"])
    expect(await valueOf(`deployment/${name}`, ".spec.template.spec.containers[0].image")).toBe(IMAGE);
  await buttonIn(dialog, "Close").last().click();

  await buttonIn(chosen, "Actions…").click();
  dialog = page.getByRole("dialog", { name: "Act on 2 resources" });
  await buttonIn(dialog, "Delete").click();
  await expect(dialog.getByRole("status")).toHaveText("2 allowed");
  await expect(dialog.locator("[data-typed-names]"), "its tier is not production").toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.screenshot({ path: info.outputPath("many-delete.png") });
  await buttonIn(dialog, "Delete 2 resources").click();
  await expect(dialog.getByRole("status")).toHaveText("2 sent", SETTLED);
  await expect.poll(() => direct("get", "deployments", "-o", "name"), SETTLED).not.toContain("many-");
});
