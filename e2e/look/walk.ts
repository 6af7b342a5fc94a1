import type { Browser, Page } from "playwright-core";

import { findingsOf, type Question } from "./judge.ts";
import { nameOfLook, type Look, type Turn } from "./looks.ts";
import type { Screen } from "./screens.ts";
import { lookOtherwise, openScreen } from "./show.ts";

/** So many pages at once: while one loads or its page is checked, another is drawn. */
const SIDE_BY_SIDE = 2;

/** A walk through screens: how each is looked at, and what is to be done while it stands there. */
export interface Walk {
  /** Of the pages, as "http://127.0.0.1:40123". */
  readonly address: string;
  readonly screens: readonly Screen[];
  turnsOf(index: number): readonly Turn[];
  /** Called with each screen in each look, after it has been judged. @returns what else is wrong with it */
  seen?(page: Page, screen: Screen, look: Look): Promise<readonly string[]>;
  /** Called once for each screen, when all of its looks are seen. */
  left?(screen: Screen): Promise<void>;
}

/**
 * Looks at every screen. axe asks all of its rules when a screen has been opened, in its other looks those that the look can change.
 *
 * @returns what is wrong, by "index dark-390"; what is not there and what the page throws are findings, too
 */
export async function walk(browser: Browser, way: Walk): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, string[]> = {};
  const queue = way.screens.entries();
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => walkAlone(browser, { ...way, queue, found })));
  return found;
}

/** Takes one screen after the other from a queue that all share. */
interface Share extends Walk {
  readonly queue: Iterable<readonly [index: number, screen: Screen]>;
  readonly found: Record<string, string[]>;
}

async function walkAlone(browser: Browser, { queue, found, ...way }: Share): Promise<void> {
  const context = await browser.newContext({ baseURL: way.address });
  const page = await context.newPage();
  let at = "";
  const report = (finding: string): number => (found[at] ??= []).push(finding);
  page.on("pageerror", ({ message }) => report(message));
  for (const [index, screen] of queue) {
    const turns = way.turnsOf(index);
    let last: Look | undefined;
    for (const look of turns.flat()) {
      const isOpened = turns.some(([opened]) => opened === look);
      const question = isOpened ? "everything" : questionAfter(last, look);
      last = look;
      at = `${screen.name} ${nameOfLook(look)}`;
      await (isOpened ? openScreen(page, screen, look) : lookOtherwise(page, look)).catch((error: unknown) =>
        report(`is not there: ${String(error)}`),
      );
      for (const finding of await findingsOf(page, question)) report(finding);
      for (const finding of (await way.seen?.(page, screen, look)) ?? []) report(finding);
    }
    await way.left?.(screen);
  }
  await context.close();
}

/** The rules for axe on a page that it has checked just before: where it is as wide and in the same mode, only the theme is another. */
function questionAfter(last: Look | undefined, look: Look): Question {
  return last?.width === look.width && last.mode === look.mode ? "colours" : "drawn";
}
