import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Ids of the rules of axe that the page breaks, with the elements; empty when nothing is wrong. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Of what is right it would else describe each element, too, which takes longer than to find what is wrong.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
