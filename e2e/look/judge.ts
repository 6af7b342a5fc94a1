import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** A control is 24 px wide and high, or as far from the next (WCAG 2.2 AA): axe asks it of who switches it on only. */
const TARGET_SIZE = "target-size";
/** What another theme, mode or width can change of a page that axe has looked at: colours, and what is drawn where. */
const DRAWN = ["color-contrast", "scrollable-region-focusable", TARGET_SIZE];

/**
 * What is wrong with the page as it stands: all that axe says, with no exception, whether the page itself can be pushed sideways, and times
 * that machines and other zones cannot read.
 *
 * @param what "drawn" asks only what another look can change
 */
export async function findingsOf(page: Page, what: "everything" | "drawn"): Promise<readonly string[]> {
  // Nothing of it is in a frame: the page is looked at where it is, and no other is opened for the summary.
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const rules = what === "drawn" ? { runOnly: DRAWN } : { rules: { [TARGET_SIZE]: { enabled: true } } };
  // Of what is right it would else describe each element, too, which takes longer than to find what is wrong.
  builder.options({ ...rules, resultTypes: ["violations"] });
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, impact, nodes }) => {
    const where = nodes.slice(0, 3).map(({ target }) => target.join(" "));
    return `${id} (${impact}) ${where.join(" | ")}${nodes.length > 3 ? ` and ${nodes.length - 3} more` : ""}`;
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
