// needs: control-plane
import { expect, test } from "../support/fixtures.ts";
import { startOtherDashboard, signInWithToken, type OtherDashboard } from "../support/other-dashboard.ts";

let other: OtherDashboard;
test.beforeAll(async ({ sandbox }) => {
  const configuration = { features: { actions: "safe", tiers: { production: { actions: "off" } } } };
  other = await startOtherDashboard(sandbox, "127.0.0.1", { configuration });
});
test.afterAll(async () => {
  await other?.stop();
});

test("where a tier has no actions one line says so in place of the buttons, and other tiers have theirs", async ({ page, sandbox }) => {
  const actions = page.getByRole("group", { name: "Actions" });
  const url = `${other.graphUrl("production")}&sel=apps/deployments/production/web`;
  await signInWithToken(page, sandbox, { base: other.url, url });
  await expect(page.locator("[data-actions=off]")).toHaveText(
    "Actions are switched off for production; see features.actions in the configuration of the dashboard.",
  );
  await expect(actions).toHaveCount(0);
  await page.goto(`${other.graphUrl("staging")}&sel=apps/deployments/staging/web`);
  await expect(actions).toBeVisible();
});
