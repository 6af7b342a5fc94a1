// needs: control-plane
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Sandbox } from "../support/sandbox.ts";

const IMAGE = "nosuch.invalid/shop/payments:2.3.0";

function summaryUrl(sandbox: Sandbox): string {
  return graphUrl(sandbox, "staging").replace("view=graph", "view=summary");
}

/** What the summary says of the workload whose image does not exist. */
function cardOf(page: Page): Locator {
  const heading = page.getByRole("heading", { name: /payments/ });
  return page.getByRole("region", { name: "Why" }).getByRole("listitem").filter({ has: heading });
}

test("the summary says why staging is not well: the chain down to the image, since when, and what to do", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  await expect(card.getByRole("heading")).toHaveText("Deployment payments: ImagePullBackOff");
  await expect(card).toContainText(/cannot pull its image/);

  const links = card.getByRole("list").getByRole("listitem");
  await expect(links.first()).toContainText("staging");
  await expect(links.nth(1)).toContainText("Deployment payments");
  await expect(links.filter({ hasText: /^Pod payments-/ })).toHaveCount(1);
  await expect(links.last()).toContainText(/^Root reason: container app ?ImagePullBackOff$/);
  await expect(card.getByText(/^Next step: /)).toContainText(IMAGE);
  await expect(card.getByText(/^since \d\d:\d\d:\d\d/)).toBeVisible();
});

test("a link of the chain opens what it names, and the graph shows what the card is about", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  await card
    .getByRole("list")
    .getByRole("button", { name: /^payments-/ })
    .click();
  const pod = page.getByRole("complementary", { name: /^Pod payments-/ });
  await expect(pod.getByRole("region", { name: "Health" })).toContainText("Root reason: container app");
  await card.getByRole("button", { name: "Show in graph (Deployment payments)" }).click();
  await expect(page).toHaveURL(/view=graph/);
  await expect(page.getByRole("complementary", { name: "Deployment payments" })).toBeVisible();
});

test("the drawer says the same as the summary, word for word", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  // While pods are still coming in it stands in a group with others.
  await expect(card.getByRole("heading")).toHaveText("Deployment payments: ImagePullBackOff");
  const nextStep = card.getByText(/^Next step: /);
  await expect(nextStep).toContainText(IMAGE);
  const said = await nextStep.innerText();
  const reasons = await card.getByRole("list").getByRole("listitem").allInnerTexts();
  await card.getByRole("list").getByRole("button", { name: "payments", exact: true }).click();

  const health = page.getByRole("complementary", { name: "Deployment payments" }).getByRole("region", { name: "Health" });
  await expect(health.getByText(/^Next step: /)).toHaveText(said);
  // Below the environment the chains are the same.
  await expect(health.getByRole("listitem")).toHaveCount(reasons.length - 1);
  await expect(health.getByRole("listitem").last()).toContainText(/^Root reason: container app ?ImagePullBackOff$/);
});

test("axe finds nothing in a summary with chains beside an open drawer", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: `${summaryUrl(sandbox)}&sel=apps/deployments/staging/payments` });
  await expect(cardOf(page)).toContainText("Root reason: ");
  await expect(page.getByRole("complementary").getByRole("region", { name: "Health" })).toContainText("Next step: ");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});
