// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import type { Sandbox } from "../support/sandbox.ts";

const IMAGE = "nosuch.invalid/shop/payments:2.3.0";

function summaryUrl(sandbox: Sandbox, environment = "staging"): string {
  return graphUrl(sandbox, environment).replace("view=graph", "view=summary");
}

/** What the summary says of the workload whose image does not exist. */
function cardOf(page: Page): Locator {
  // While kinds are still coming in, its pods may stand by themselves.
  const heading = page.getByRole("heading", { name: /^Deployment payments: / });
  return page.getByRole("region", { name: "Why" }).getByRole("listitem").filter({ has: heading });
}

test("the summary says why staging is not well: the chain down to the image, since when, and what to do", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  await expect(card.getByRole("heading")).toHaveText(
    /^Deployment payments: (image cannot be pulled|registry name does not resolve|image does not exist)$/,
  );
  await expect(card).toContainText(/cannot pull its image/);

  const links = card.getByRole("list").getByRole("listitem");
  await expect(links.first()).toContainText("staging");
  await expect(links.nth(1)).toContainText("Deployment payments");
  await expect(links.filter({ hasText: /^Pod payments-/ })).toHaveCount(1);
  await expect(links.last()).toContainText(/^Root cause: container app ?ImagePullBackOff$/);
  await expect(card.getByText(/^Next step: /)).toContainText(IMAGE);
  const since = card.getByText(/^since /);
  // "24 Nov 2026, 16:09:35 UTC"
  const [day = "", exact = ""] = ((await since.getAttribute("title")) ?? "").split(/ \d{4}, /);
  expect(exact).toMatch(/^\d\d:\d\d:\d\d \S+$/);
  const [second = ""] = exact.split(" ");
  // After midnight, what began before it stands with its day.
  await expect(since).toHaveText(new RegExp(`^since (${day}, )?${second}$`));
});

test("a link of the chain opens what it names, and the graph shows what the card is about", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  await card
    .getByRole("list")
    .getByRole("link", { name: /^payments-/ })
    .click();
  const pod = page.getByRole("complementary", { name: /^Pod payments-/ });
  await expect(pod.getByRole("region", { name: "Health" })).toContainText("Root cause: container app");
  await card.getByRole("link", { name: "Show in graph (Deployment payments)" }).click();
  await expect(page).toHaveURL(/view=graph/);
  await expect(page.getByRole("complementary", { name: "Deployment payments" })).toBeVisible();
});

test("the drawer says the same as the summary, word for word", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox) });
  const card = cardOf(page);
  await expect(card.getByRole("heading")).toHaveText(
    /^Deployment payments: (image cannot be pulled|registry name does not resolve|image does not exist)$/,
  );
  const nextStep = card.getByText(/^Next step: /);
  await expect(nextStep).toContainText(IMAGE);
  const advice = await nextStep.innerText();
  // The first HTML has the worst reason, and not how it came to it.
  const links = card.getByRole("list").getByRole("listitem");
  await expect(links.last()).toContainText("ImagePullBackOff");
  const reasons = await links.allInnerTexts();
  await card.getByRole("list").getByRole("link", { name: "payments", exact: true }).click();

  const health = page.getByRole("complementary", { name: "Deployment payments" }).getByRole("region", { name: "Health" });
  await expect(health.getByText(/^Next step: /)).toHaveText(advice);
  // Below the environment the chains are the same.
  await expect(health.getByRole("listitem")).toHaveCount(reasons.length - 1);
  await expect(health.getByRole("listitem").last()).toContainText(/^Root cause: container app ?ImagePullBackOff$/);
});

test("axe finds nothing in a summary with chains beside an open drawer", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: `${summaryUrl(sandbox)}&sel=apps/deployments/staging/payments` });
  await expect(cardOf(page)).toContainText("Root cause: ");
  await expect(page.getByRole("complementary").getByRole("region", { name: "Health" })).toContainText("Next step: ");
  expect(await axeViolations(page)).toEqual([]);
});

test("UB2, US3: issues are counted by root cause: one image of three workloads is one, each other image another", async ({
  page,
  sandbox,
}) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === "preview");
  const same = ["same-a", "same-b", "same-c"];
  const others = ["own-1", "own-2", "own-3", "own-4", "own-5", "own-6"];
  const deploy = (name: string, image: string): Promise<string> =>
    kubectl(kubeconfigs.cluster, ["create", "deployment", name, `--image=nosuch.invalid/shop/${image}:1`, "-n", namespace]);
  try {
    for (const name of same) await deploy(name, "same");
    for (const name of others) await deploy(name, name);
    await signIn(page, sandbox, { username: "maintainer", url: summaryUrl(sandbox, "preview") });
    const why = page.getByRole("region", { name: "Why" });
    await expect(why).toContainText("7 issues, worst first: 9 resources");
    await expect(why.getByRole("heading", { level: 4 })).toHaveCount(5);
    await why.getByRole("button", { name: "Show 2 more issues" }).click();
    await expect(why.getByRole("heading", { level: 4 })).toHaveCount(7);
    const group = why.getByRole("listitem").filter({ has: page.getByRole("heading", { name: /^same-a, same-b and same-c: / }) });
    await group.getByText("3 resources", { exact: true }).click();
    expect(await axeViolations(page)).toEqual([]);
    await group.getByRole("link", { name: "same-b", exact: true }).click();
    await expect(page.getByRole("complementary", { name: "Deployment same-b" })).toBeVisible();

    // What no status says, here and beside the issues of other environments.
    await kubectl(kubeconfigs.cluster, ["create", "service", "clusterip", "lost", "--tcp=80", "-n", namespace]);
    await expect(why).toContainText("8 issues, worst first: 10 resources");
    await why.getByRole("searchbox", { name: "Find issues" }).fill("lost");
    await expect(why.getByRole("heading", { level: 4 })).toHaveText(["Service lost: no endpoints"]);
    await expect(page).toHaveURL(/q=lost/);
    await page.goto(new URL("../environments?view=issues&q=lost", page.url()).href);
    const list = page.getByRole("list", { name: "Issues" });
    await expect(list.getByRole("heading", { name: "Service lost: no endpoints" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await list.getByRole("link", { name: "preview", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("preview");
  } finally {
    await kubectl(kubeconfigs.cluster, ["delete", "service", "lost", "-n", namespace, "--ignore-not-found"]);
    await kubectl(kubeconfigs.cluster, ["delete", "deployment", ...same, ...others, "-n", namespace]);
  }
});
