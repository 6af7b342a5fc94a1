import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";

import { violationsOf } from "../support/axe.ts";

/** A control is 24 px wide and high, or as far from the next (WCAG 2.2 AA): axe asks it of who switches it on only. */
const TARGET_SIZE = "target-size";
/** All that another theme can change of a page that axe has looked at. */
const COLOURS = ["color-contrast"];

/** The rules for axe: all of them; only those about colours; or, too, those about what is drawn where, which a width or a mode can change. */
export type Question = "everything" | "drawn" | "colours";

const OPTIONS: Readonly<Record<Question, RunOptions>> = {
  everything: { rules: { [TARGET_SIZE]: { enabled: true } } },
  drawn: { runOnly: [...COLOURS, "scrollable-region-focusable", TARGET_SIZE] },
  colours: { runOnly: COLOURS },
};

/**
 * What is wrong with the page as it stands: all that axe says, with no exception, whether the page itself can be pushed sideways, and times
 * that machines and other zones cannot read.
 */
export async function findingsOf(page: Page, question: Question): Promise<readonly string[]> {
  const found = (await violationsOf(page, OPTIONS[question])).map(({ id, impact, elements }) => {
    const more = elements.length > 3 ? ` and ${elements.length - 3} more` : "";
    return `${id} (${impact}) ${elements.slice(0, 3).join(" | ")}${more}`;
  });
  return [...found, ...(await overflowOf(page)), ...(await bareTimesOf(page))];
}

/** What makes the page wider than its window; nothing when it is not. */
export function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth <= clientWidth ? [] : [`the page is ${scrollWidth} px wide in a window of ${clientWidth} px`];
  });
}

/** Times of day on the screen that are in no `<time>`; what an object or a log says stands in a `<pre>`, and a drawing has none. */
function bareTimesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode() !== null) {
      const text = texts.currentNode.textContent ?? "";
      const where = texts.currentNode.parentElement;
      if (
        !/\b\d\d:\d\d\b/.test(text) ||
        where?.closest("time, pre, [data-quoted], svg, script, style, noscript, .visually-hidden") !== null
      )
        continue;
      if (where.checkVisibility()) found.push(`a time that is no <time>: ${text}`);
    }
    return found;
  });
}
