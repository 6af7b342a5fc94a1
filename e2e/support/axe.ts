import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A rule of axe that a page breaks. */
export interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  /** The elements that break it, as selectors. */
  readonly elements: readonly string[];
}

/**
 * The rules of axe that the page breaks, as it stands; empty when nothing is wrong. Nothing of our pages is in a frame, so none is looked
 * into. axe is put into a document once, however often it is used there: to put it there takes as long as to look at a small page.
 */
export async function violationsOf(page: Page, options: RunOptions = {}): Promise<readonly AxeViolation[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(
    async (given) => {
      const { axe } = globalThis as unknown as { readonly axe: { run(on: Document, options: RunOptions): Promise<AxeResults> } };
      const { violations } = await axe.run(document, given);
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact: impact ?? "",
        elements: nodes.map(({ target }) => target.flat().join(" ")),
      }));
    },
    // Of what is right it would else describe each element, too, which takes longer than to find what is wrong.
    { ...options, resultTypes: ["violations" as const] },
  );
}

/** Ids of the rules of axe that the page breaks, with the elements; empty when nothing is wrong. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  return (await violationsOf(page)).map(({ id, elements }) => `${id}: ${elements.join(", ")}`);
}
