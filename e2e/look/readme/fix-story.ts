import type { Page } from "playwright-core";

import { EnvironmentPage } from "../../support/environment-page.ts";
import { cardThatIs, STATE_MS, Story, type StoryMoment } from "./story.ts";

const GOOD = "registry.example.test/shop/payments:2.3.1";

/**
 * Finds the broken Deployment of the demo, sets its image from the page, and sees it become healthy.
 *
 * @param page shows the graph of `staging` to a user who may change it
 * @throws when a state has not come after a minute
 */
export async function fixStory(page: Page): Promise<readonly StoryMoment[]> {
  const deployment = new EnvironmentPage(page).node("Deployment", "payments");
  const drawer = page.getByRole("complementary", { name: "Deployment payments" });
  const dialog = page.getByRole("dialog", { name: "Set image of Deployment payments" });
  const result = page.getByRole("region", { name: "Result of the last action" });
  const setImage = drawer.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Set image…", exact: true });
  const confirm = dialog.getByRole("button", { name: "Set image", exact: true });
  const story = new Story(page);

  await cardThatIs(deployment, "degraded").waitFor({ timeout: STATE_MS });
  await story.showPointerAt(deployment, "staging is degraded: Deployment payments does not start", 1_600);
  await deployment.press("Enter");
  await drawer.getByText(/^Next step: /).waitFor({ timeout: STATE_MS });
  await setImage.waitFor({ timeout: STATE_MS });
  await story.showPointerAt(setImage, "The cause: an image that cannot be pulled. It can be fixed from here", 3_000);
  await setImage.click();
  await dialog.getByLabel("Image of app").fill(GOOD);
  await story.show("Another image, with the viewer's own rights", 1_600);
  await page.keyboard.press("Enter");
  await dialog.locator("[data-value=after]").getByText(GOOD).waitFor({ timeout: STATE_MS });
  await story.showPointerAt(confirm, "A dry run first: what changes, and what happens to the pods", 3_600);
  await confirm.click();
  await story.showUntil(cardThatIs(deployment, "healthy"), "The page follows until it has settled");
  await result.getByText(/^Done: /).waitFor({ timeout: STATE_MS });
  await story.show("Healthy, and undone with one press if need be", 3_000, { explains: true });
  return story.moments;
}
