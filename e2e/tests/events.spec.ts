// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { startOtherDashboard } from "../support/other-dashboard.ts";
import type { Sandbox } from "../support/sandbox.ts";

const ENVIRONMENT = "production";

function eventsOf(url: string): string {
  return url.replace("view=graph", "view=events");
}

/** A Deployment whose image is not there. */
async function breakSomething(sandbox: Sandbox, name: string): Promise<() => Promise<unknown>> {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === ENVIRONMENT);
  const image = "nosuch.invalid/shop/breaks:1.0.0";
  await kubectl(kubeconfigs.cluster, ["create", "deployment", name, `--image=${image}`, "-n", namespace]);
  return () => kubectl(kubeconfigs.cluster, ["delete", "deployment", name, "-n", namespace, "--ignore-not-found"]);
}

const lines = (page: Page): Locator => page.getByRole("region", { name: "Events by workload" }).getByRole("listitem");
const group = (page: Page, name: string): Locator => page.getByRole("heading", { name, exact: true });

/** What is reported of the pods of a Deployment stands under it, as it comes, and in its drawer. */
async function expectBroken(page: Page, name: string): Promise<void> {
  await expect(group(page, `Deployment ${name}`)).toBeVisible();
  await page.getByRole("searchbox", { name: "Find events" }).fill(name);
  await expect(page).toHaveURL(new RegExp(`q=${name}`));
  await page.getByRole("button", { name: /^Warnings ?\d/ }).click();
  await expect(page).toHaveURL(/type=Warning/);
  const failed = lines(page).filter({ hasText: "Failed" });
  await expect(failed.first()).toContainText(new RegExp(`Pod ${name}-`));
  await expect(failed.first().locator("time")).toHaveAttribute("datetime", /^\d{4}-\d\d-\d\dT/);
  await expect(lines(page).getByRole("heading")).toHaveText([`Deployment ${name}`]);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("complementary", { name: `Deployment ${name}` })).toBeVisible();
  const drawer = page.getByRole("tabpanel", { name: "Events" });
  await expect(
    drawer
      .getByRole("listitem")
      .filter({ hasText: `Pod ${name}-` })
      .filter({ hasText: "Failed" })
      .first(),
  ).toBeVisible();
  await expect(drawer).toContainText("ScalingReplicaSet");
}

test("US8: an image that is not there shows as Failed under its Deployment, live, can be filtered, and stands in the Deployment's drawer", async ({
  page,
  sandbox,
}) => {
  await signIn(page, sandbox, { username: "maintainer", url: eventsOf(graphUrl(sandbox, ENVIRONMENT)) });
  await expect(page.getByRole("link", { name: "Events", exact: true })).toHaveAttribute("aria-current", "page");
  await expect(group(page, "Agent demo")).toBeVisible();
  // Of a group the newest lines are shown; a search finds the others.
  const find = page.getByRole("searchbox", { name: "Find events" });
  await find.fill("Connected to kas (agent server)");
  await expect(lines(page).filter({ hasText: "Connected to kas (agent server)" }).first()).toBeVisible();
  await find.fill("");
  const fix = await breakSomething(sandbox, "breaks");
  try {
    await expectBroken(page, "breaks");
    expect(await axeViolations(page)).toEqual([]);
    // The address holds it all.
    await page.reload();
    await expect(lines(page).getByRole("heading")).toHaveText(["Deployment breaks"]);
  } finally {
    await fix();
  }
});

test("US8: a dashboard that makes views itself tells the same list, and that it does not know the agent's own life", async ({
  page,
  sandbox,
}) => {
  const dashboard = await startOtherDashboard(sandbox, "127.0.0.1", { configuration: { views: { of_agents: "never" } } });
  const fix = await breakSomething(sandbox, "crumbles");
  try {
    await dashboard.signIn(page, eventsOf(dashboard.graphUrl(ENVIRONMENT)));
    await expect(page.getByText("Events of the agent itself are not available here")).toBeVisible();
    await expectBroken(page, "crumbles");
  } finally {
    await fix();
    await dashboard.stop();
  }
});

test("T37: a viewer who may not use the agent sees a message, and none of its events", async ({ page, sandbox }) => {
  const fix = await breakSomething(sandbox, "canary-of-events");
  try {
    const heard: string[] = [];
    page.on(
      "response",
      (response) =>
        void response.text().then(
          (text) => heard.push(text),
          () => undefined,
        ),
    );
    await signIn(page, sandbox, { username: "outsider", url: eventsOf(graphUrl(sandbox, ENVIRONMENT)) });
    await expect(page.getByText(/agent/i).first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Events by workload" })).toHaveCount(0);
    await expect(page.getByText("canary-of-events")).toHaveCount(0);
    expect(heard.join("\n")).not.toContain("canary-of-events");
  } finally {
    await fix();
  }
});
