import type { Page } from "playwright-core";

/** What of a change a page shows: its YAML, its condition, its event. */
export type Sign = "yaml" | "condition" | "event";

/** Changes that stood on a page at the same time. */
export interface Shown {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly changes: Readonly<Partial<Record<Sign, number>>>;
}

declare global {
  interface Window {
    shownChanges: Shown[];
  }
}

/** Writes down from now on which changes the open drawer shows, each time that it shows others. Signs read `yaml-c12c`. */
export async function recordChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.shownChanges = [];
    let last = "";
    const look = (): void => {
      const text = document.querySelector("[data-drawer] [role=tabpanel]")?.textContent ?? "";
      const signs = text.match(/(?:yaml|condition|event)-c\d+c/g) ?? [];
      if (signs.join(" ") === last) return;
      last = signs.join(" ");
      // Of several the newest: an Event that was written over may stand below what it says now, until it is requested again.
      const changes: Record<string, number> = {};
      for (const sign of signs) {
        const name = sign.split("-")[0] ?? "";
        changes[name] = Math.max(changes[name] ?? 0, Number(/\d+/.exec(sign)));
      }
      window.shownChanges.push({ atMs: performance.timeOrigin + performance.now(), changes });
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  });
}

/** What a page has shown since `recordChanges`, oldest first. */
export function shownOn(page: Page): Promise<Shown[]> {
  return page.evaluate(() => window.shownChanges);
}

/** The changes of one sign, oldest first; where the page showed none, nothing. */
export function seriesOf(shown: readonly Shown[], sign: Sign): readonly number[] {
  return shown.flatMap(({ changes }) => changes[sign] ?? []);
}

/**
 * How long after each change a page showed it, or one that came after it, in milliseconds. What was never shown has no lag: ask for the
 * last change first.
 */
export function lagsOf(writtenMs: readonly number[], shown: readonly Shown[], sign: Sign): readonly number[] {
  return writtenMs.flatMap((atMs, index) => {
    const seen = shown.find(({ changes }) => (changes[sign] ?? 0) > index);
    // A change is on a page before its writer has heard that all three parts of it are written: then it lags behind by nothing.
    return seen === undefined ? [] : [Math.max(0, seen.atMs - atMs)];
  });
}
