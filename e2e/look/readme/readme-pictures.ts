import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { pick } from "../../support/endpoints.ts";
import { graphUrl, signIn } from "../../support/environment-page.ts";
import { ManifestClone } from "../../support/manifest-clone.ts";
import { Sandbox } from "../../support/sandbox.ts";
import { animatedPicture, stillPicture } from "./animated-picture.ts";
import { captionedFrame, SCALE, SCENE } from "./captioned-frame.ts";
import { graphRests, rolloutStory } from "./rollout-story.ts";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const USER = "maintainer";
const ZOOM = 84;
/** The failing Deployment of `staging` beside its explanation, with the columns left and right of it. */
const PAYMENTS = `&sel=apps/deployments/staging/payments&at=2.5,2.2,${ZOOM}`;
const ENVIRONMENT_WINDOW = { width: 1120, height: 760 };
/** Of the graph of `production`, what is at most two edges away from Deployment web. */
const AROUND_WEB = "&around=2,apps/deployments/production/web";

/**
 * Makes the pictures of README.md from a product that runs on this machine, on the embedded cluster: an environment with its explanation, and a
 * rollout that goes wrong, each in both themes.
 *
 * @param directory where they are written; those of before are overwritten
 * @returns bytes by the name of each file
 */
export async function writeReadmePictures(browser: Browser, directory: string): Promise<ReadonlyMap<string, number>> {
  mkdirSync(directory, { recursive: true });
  const written = new Map<string, number>();
  for (const theme of THEMES) {
    // A new sandbox for each theme: a second rollout of the same image would find the ReplicaSet of the first.
    const sandbox = await Sandbox.start({ cluster: "embedded" });
    try {
      const context = await browser.newContext({ viewport: SCENE, deviceScaleFactor: SCALE, colorScheme: theme });
      const page = await context.newPage();
      const environment = await environmentPicture(page, sandbox);
      const { animation, explanation } = await rolloutPictures({ page, desk: await context.newPage(), sandbox, theme });
      await context.close();
      for (const [name, picture] of Object.entries({ environment, rollout: animation, "rollout-still": explanation })) {
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

interface FilmSet {
  readonly page: Page;
  /** An empty page to put captions below photographs. */
  readonly desk: Page;
  readonly sandbox: Sandbox;
  readonly theme: Theme;
}

/** The animated story, and the one moment of it that explains. */
async function rolloutPictures({
  page,
  desk,
  sandbox,
  theme,
}: FilmSet): Promise<{ readonly animation: Buffer; readonly explanation: Buffer }> {
  await page.setViewportSize(SCENE);
  await page.goto(`${graphUrl(sandbox, "production")}${AROUND_WEB}`);
  const { repository, directory } = pick(sandbox.endpoints.manifestProjects, ({ environment }) => environment === "production");
  const clone = await ManifestClone.of(repository);
  try {
    const story = await rolloutStory({ page, clone, manifest: `${directory}/20-web.yaml` });
    const pictures: { readonly image: Buffer; readonly ms: number; readonly explains: boolean }[] = [];
    for (const { ms, explains = false, ...moment } of story) {
      pictures.push({ image: await captionedFrame(desk, moment, theme), ms, explains });
    }
    const explanation = pick(pictures, (each) => each.explains);
    return { animation: await animatedPicture(pictures), explanation: await stillPicture(explanation.image) };
  } finally {
    clone.dispose();
  }
}
