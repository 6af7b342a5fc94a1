import type { Locator, Page } from "playwright-core";

import { EnvironmentPage } from "../../support/environment-page.ts";
import type { ManifestClone } from "../../support/manifest-clone.ts";
import type { Moment } from "./captioned-frame.ts";

/** A moment of the story, and how long it is shown. */
export interface StoryMoment extends Moment {
  readonly ms: number;
  /** The one moment that is shown where motion is not wanted. */
  readonly explains?: boolean;
}

/** What the story needs: a page that shows the graph of `production`, and the repository that `production` is deployed from. */
export interface RolloutStage {
  readonly page: Page;
  readonly clone: ManifestClone;
  /** The manifest of Deployment web. */
  readonly manifest: string;
}

const GOOD = "registry.example.test/shop/web:1.4.2";
/** No such host resolves, in any cluster. */
const BAD = "nosuch.invalid/shop/web:1.5.0";
const STATE_MS = 60_000;
/** All that is shown of a change on its way. */
const ON_THE_WAY_MS = 1_800;

/**
 * Releases an image that does not exist, opens the explanation, and reverts the commit. Every moment is photographed when the page shows its
 * state, however long that takes.
 *
 * @throws when a state has not come after a minute
 */
export async function rolloutStory({ page, clone, manifest }: RolloutStage): Promise<readonly StoryMoment[]> {
  const view = new EnvironmentPage(page);
  const deployment = view.node("Deployment", "web");
  const drawer = page.getByRole("complementary", { name: "Deployment web" });
  const moments: StoryMoment[] = [];
  const show = async (caption: string, ms: number, more: Pick<StoryMoment, "pointer" | "explains"> = {}): Promise<void> => {
    await graphRests(page);
    moments.push({ image: await page.screenshot(), caption, ms, ...more });
  };
  const showUntil = async (state: Locator, caption: string): Promise<void> => {
    const onTheWay: Buffer[] = [];
    for await (const image of picturesUntil(page, state)) onTheWay.push(image);
    // None where the state came before the first photograph.
    moments.push(...onTheWay.map((image) => ({ image, caption, ms: Math.round(ON_THE_WAY_MS / onTheWay.length) })));
  };

  await healthy(deployment).waitFor({ timeout: STATE_MS });
  await show("production, live: Deployment web and what is around it", 1_800);
  await show('$ git commit -am "Release web 1.5.0" && git push', 1_600);
  clone.replace(manifest, GOOD, BAD);
  await clone.push("Release web 1.5.0");
  await showUntil(degraded(deployment), "The agent applies the commit, and the page follows");
  await page.getByText("Release web 1.5.0").waitFor({ timeout: STATE_MS });
  await show("The new pod does not start; the three old ones still serve", 2_000);

  const card = await deployment.boundingBox();
  if (card === null) throw new Error("Deployment web is not on the screen");
  await show("Why?", 900, { pointer: { x: card.x + card.width / 2, y: card.y + card.height / 2 } });
  await deployment.press("Enter");
  await drawer.getByText(/^Next step: /).waitFor({ timeout: STATE_MS });
  await drawer.getByText(/^Preceding change: /).waitFor({ timeout: STATE_MS });
  await show("The cause, the way down to it, the next step, and the change that came before", 5_000, { explains: true });

  await show("$ git revert HEAD && git push", 1_600);
  await clone.revert();
  await showUntil(healthy(deployment), "The agent applies the commit");
  await page.getByText(/^Revert "Release web 1\.5\.0"/).waitFor({ timeout: STATE_MS });
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached", timeout: STATE_MS });
  // It would show the figures of the card that has the focus.
  await deployment.blur();
  await show("Healthy again", 2_200);
  return moments;
}

/** Until its fonts are there and no card glides; marks of what is new fade for longer, and are part of the picture. */
export async function graphRests(page: Page): Promise<void> {
  await page.locator("[data-detail]:not([data-moving])").first().waitFor({ timeout: STATE_MS });
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** A photograph of each picture that the graph shows on the way to a state. */
async function* picturesUntil(page: Page, state: Locator): AsyncGenerator<Buffer> {
  let shown = await cardsOf(page);
  const deadlineMs = Date.now() + STATE_MS;
  while ((await state.count()) === 0) {
    if (Date.now() > deadlineMs) throw new Error("the graph never showed the state that the story waits for");
    const before = shown;
    shown = await cardsOf(page);
    if (shown !== before) yield await page.screenshot();
  }
}

/** Which cards there are, and how each is. */
function cardsOf(page: Page): Promise<string> {
  return page
    .locator("button[data-node-id]")
    .evaluateAll((cards) => cards.map((card) => `${card.getAttribute("data-node-id")} ${card.getAttribute("data-health")}`).join("\n"));
}

function healthy(card: Locator): Locator {
  return card.and(card.page().locator('[data-health="healthy"]'));
}

function degraded(card: Locator): Locator {
  return card.and(card.page().locator('[data-health="degraded"]'));
}
