import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { pick } from "../../support/endpoints.ts";
import { graphUrl, signIn } from "../../support/environment-page.ts";
import { Sandbox } from "../../support/sandbox.ts";
import { animatedPicture, stillPicture } from "./animated-picture.ts";
import { captionedFrame, SCALE, SCENE } from "./captioned-frame.ts";
import { fixStory } from "./fix-story.ts";
import { graphRests, type StoryMoment } from "./story.ts";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const USER = "maintainer";
const ZOOM = 84;
/** The failing Deployment of `staging` beside its explanation, with the columns left and right of it. */
const PAYMENTS = `&sel=apps/deployments/staging/payments&at=2.5,2.2,${ZOOM}`;
const ENVIRONMENT_WINDOW = { width: 1120, height: 760 };
/** Of the graph, what is at most two edges away from it. */
const AROUND_PAYMENTS = "&around=2,apps/deployments/staging/payments";

/**
 * Makes the pictures of README.md from a product that runs on this machine, on the embedded cluster: an environment with its explanation, and
 * a Deployment that is fixed from the page, each in both themes.
 *
 * @param directory where they are written; those of before are overwritten
 * @returns bytes by the name of each file
 */
export async function writeReadmePictures(browser: Browser, directory: string): Promise<ReadonlyMap<string, number>> {
  mkdirSync(directory, { recursive: true });
  const written = new Map<string, number>();
  for (const theme of THEMES) {
    // A new sandbox for each theme: the story changes it.
    const sandbox = await Sandbox.start({ cluster: "embedded" });
    try {
      const context = await browser.newContext({ viewport: SCENE, deviceScaleFactor: SCALE, colorScheme: theme });
      const page = await context.newPage();
      const environment = await environmentPicture(page, sandbox);
      const desk = await context.newPage();
      const fix = await storyPictures(await fixMoments(page, sandbox), { desk, theme });
      await context.close();
      const pictures = {
        environment,
        fix: fix.animation,
        "fix-still": fix.explanation,
      };
      for (const [name, picture] of Object.entries(pictures)) {
        writeFileSync(join(directory, `${name}-${theme}.webp`), picture);
        written.set(`${name}-${theme}.webp`, picture.length);
      }
    } finally {
      await sandbox.stop();
    }
  }
  return written;
}

/** The graph of `staging` beside the explanation of what is wrong in it. */
async function environmentPicture(page: Page, sandbox: Sandbox): Promise<Buffer> {
  await page.setViewportSize(ENVIRONMENT_WINDOW);
  await signIn(page, sandbox, { username: USER, url: graphUrl(sandbox, "staging") });
  // A link to a place in the graph is followed only when the graph is there as a whole.
  await page.locator('[data-health="degraded"][data-partial="false"]').waitFor();
  await graphRests(page);
  await page.goto(`${graphUrl(sandbox, "staging")}${PAYMENTS}`);
  const explanation = page.getByRole("complementary", { name: "Deployment payments" });
  await explanation.getByText(/^Next step: /).waitFor();
  await explanation.getByText(/^Preceding change: /).waitFor();
  await page.getByText(`${ZOOM} %`, { exact: true }).waitFor();
  await graphRests(page);
  return stillPicture(await page.screenshot());
}

async function fixMoments(page: Page, sandbox: Sandbox): Promise<readonly StoryMoment[]> {
  await page.setViewportSize(SCENE);
  await page.goto(`${graphUrl(sandbox, "staging")}${AROUND_PAYMENTS}`);
  return fixStory(page);
}

interface Drawing {
  /** An empty page to put captions below photographs. */
  readonly desk: Page;
  readonly theme: Theme;
}

/** The animated story, and the one moment of it that explains. */
async function storyPictures(
  story: readonly StoryMoment[],
  { desk, theme }: Drawing,
): Promise<{ readonly animation: Buffer; readonly explanation: Buffer }> {
  const pictures: { readonly image: Buffer; readonly ms: number; readonly explains: boolean }[] = [];
  for (const { ms, explains = false, ...moment } of story) {
    pictures.push({ image: await captionedFrame(desk, moment, theme), ms, explains });
  }
  const explanation = pick(pictures, (each) => each.explains);
  return { animation: await animatedPicture(pictures), explanation: await stillPicture(explanation.image) };
}
