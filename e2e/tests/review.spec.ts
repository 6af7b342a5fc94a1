// needs: control-plane
import type { Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { repositoryOf } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let clone: ManifestClone;

test.beforeAll(async ({ mutableSandbox }) => {
  sandbox = mutableSandbox;
  // Branches of group/app have environments.
  clone = await ManifestClone.of(repositoryOf(sandbox, "production"));
});

test.afterAll(() => clone?.dispose());

const indexUrl = (): string => pick(sandbox.endpoints.environments, ({ name }) => name === "staging").url.replace(/\/[^/]+$/, "");
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("environments of branches join the open index, follow their pushes, and leave with the branch", async ({ page }) => {
  await signIn(page, sandbox, { username: "developer", url: indexUrl() });
  await expect(row(page, "staging")).toBeVisible();
  await page.evaluate(() => document.documentElement.setAttribute("data-e2e-mark", "1"));

  clone.write("README.md", "one");
  const first = await clone.push("Try it out", "try/it-out");
  const shown = row(page, "review/try/it-out");
  await expect(shown).toContainText("Healthy");
  await expect(shown).toContainText(first.slice(0, 8));

  clone.write("README.md", "two");
  const second = await clone.push("Try it again", "try/it-out");
  await expect(shown).toContainText(second.slice(0, 8));
  await expect(shown).toContainText("Healthy");

  await shown.getByRole("link", { name: "review/try/it-out" }).click();
  await expect(new EnvironmentPage(page).health).toContainText("Healthy");
  await page.goBack();

  await clone.deleteBranch("try/it-out");
  await expect(shown).toHaveCount(0);
  await expect(row(page, "staging")).toBeVisible();
  const namespaces = () => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["get", "namespaces", "-o", "name"]);
  await expect.poll(namespaces).not.toContain("review-try-it-out");
});

test("branches of odd names have environments that do not meet", async ({ page }) => {
  await signIn(page, sandbox, { username: "developer", url: `${indexUrl()}?folders=review` });
  const names = ["a.b", "a-b", "Größe", "x".repeat(200)];
  for (const name of names) {
    clone.write("README.md", name);
    await clone.push(`Try ${name.slice(0, 20)}`, name);
  }
  for (const name of ["review/a.b", "review/a-b", "review/Größe", `review/${"x".repeat(20)}`])
    await expect(page.locator(`[data-environment^="${name}"]`).first()).toBeVisible();
  for (const name of names) await clone.deleteBranch(name);
  await expect(page.locator('[data-environment^="review/"]')).toHaveCount(0);
});
