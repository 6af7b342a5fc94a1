import type { Locator, Page } from "playwright-core";

import type { Moment } from "./captioned-frame.ts";

/** A moment of a story, and how long it is shown. */
export interface StoryMoment extends Moment {
  readonly ms: number;
  /** The one moment that is shown where motion is not wanted. */
  readonly explains?: boolean;
}

/** Until each state of a story is there, on any machine. */
export const STATE_MS = 60_000;
/** All that is shown of a change on its way. */
const ON_THE_WAY_MS = 1_800;

/** A story of an environment, photographed as its page shows each state, however long that takes. */
export class Story {
  readonly moments: StoryMoment[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Photographs what the page shows, once the graph stands still. */
  async show(caption: string, ms: number, more: Pick<StoryMoment, "pointer" | "explains"> = {}): Promise<void> {
    await graphRests(this.#page);
    this.moments.push({ image: await this.#page.screenshot(), caption, ms, ...more });
  }

  /** Photographs what the page shows with the pointer in the middle of a part of it. @throws when the part is not on the screen */
  async showPointerAt(part: Locator, caption: string, ms: number): Promise<void> {
    const box = await part.boundingBox();
    if (box === null) throw new Error(`not on the screen: ${String(part)}`);
    await this.show(caption, ms, { pointer: { x: box.x + box.width / 2, y: box.y + box.height / 2 } });
  }

  /** Photographs each picture of the graph until a state is there; none where it is there already. @throws when it has not come after a minute */
  async showUntil(state: Locator, caption: string): Promise<void> {
    const onTheWay: Buffer[] = [];
    for await (const image of picturesUntil(this.#page, state)) onTheWay.push(image);
    this.moments.push(...onTheWay.map((image) => ({ image, caption, ms: Math.round(ON_THE_WAY_MS / onTheWay.length) })));
  }
}

/** Until its fonts are there and no card glides; marks of what is new fade for longer, and are part of the picture. */
export async function graphRests(page: Page): Promise<void> {
  await page.locator("[data-detail]:not([data-moving])").first().waitFor({ timeout: STATE_MS });
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** A card of the graph while it has this health. */
export function cardThatIs(card: Locator, health: "healthy" | "degraded"): Locator {
  return card.and(card.page().locator(`[data-health="${health}"]`));
}

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
