import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What another theme, mode or width can change of a page that axe has looked at: colours, and what is drawn where. */
const DRAWN = ["color-contrast", "scrollable-region-focusable"];

/**
 * What is wrong with the page as it stands: all that axe says, with no exception, and whether the page itself can be pushed sideways.
 *
 * @param what "drawn" asks only what another look can change
 */
export async function findingsOf(page: Page, what: "everything" | "drawn"): Promise<readonly string[]> {
  // Nothing of it is in a frame: the page is looked at where it is, and no other is opened for the summary.
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  if (what === "drawn") builder.withRules(DRAWN);
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, impact, nodes }) => {
    const where = nodes.slice(0, 3).map(({ target }) => target.join(" "));
    return `${id} (${impact}) ${where.join(" | ")}${nodes.length > 3 ? ` and ${nodes.length - 3} more` : ""}`;
  });
  return [...found, ...(await overflowOf(page))];
}

/** What makes the page wider than its window; nothing when it is not. */
export function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth <= clientWidth ? [] : [`the page is ${scrollWidth} px wide in a window of ${clientWidth} px`];
  });
}
