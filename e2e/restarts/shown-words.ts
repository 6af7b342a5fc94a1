import type { Page } from "@playwright/test";

import type { DeliveryWords, SyncWords } from "./expected-words.ts";

/** What a row of the index has. */
export type RowWords = Pick<DeliveryWords, "version" | "isVersionOld" | "sync">;

/** The texts in the HTML of a page that was just requested, as far as it has any of the sync. */
export interface HtmlWords {
  readonly version: string;
  readonly word: string;
  readonly isOld: boolean;
}

/** What is never true of an environment that was deployed to. */
const FALSE_WORDS = "No deployment yet";

/**
 * Watches a page, from its next document on, for words that are false at every moment.
 *
 * @param selector where they would be false
 * @param found called for each element that has them
 */
export async function watchForFalseWords(page: Page, selector: string, found: (text: string) => void): Promise<void> {
  await page.exposeFunction("foundFalseWords", found);
  await page.addInitScript(
    ([where, words]) => {
      const look = (): void => {
        for (const { textContent } of document.querySelectorAll(where))
          if (textContent.includes(words))
            (Reflect.get(globalThis, "foundFalseWords") as (text: string) => void)(textContent.slice(0, 500));
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    },
    [selector, FALSE_WORDS] as const,
  );
}

/** The row of an environment on the open index. */
export function readRow(page: Page, environment: string): Promise<RowWords | undefined> {
  return page.evaluate(
    ([name]) => {
      const row = document.querySelector(`tr[data-environment="${name}"]`);
      const version = row?.querySelector("[data-deployed], [data-deployment-state]");
      const sync = row?.querySelector("[data-sync]");
      if (row === undefined || row === null || !version || !sync) return undefined;
      const detail = (sync.nextElementSibling?.textContent ?? "").replace(/ ?(?:as of|checked) .*$/, "").trim();
      return {
        version: version.getAttribute("data-deployed")?.slice(0, 8) ?? version.textContent ?? "",
        isVersionOld: version.classList.contains("stale-data"),
        sync: { word: sync.getAttribute("data-sync") ?? "", detail, isOld: sync.classList.contains("stale-data") },
      };
    },
    [environment] as const,
  );
}

/** Issues about syncs on the open list of issues, as "title" and whether that is called the last known one, by environment. */
export function readIssues(page: Page, project: string): Promise<Pick<DeliveryWords, "issue" | "isIssueOld">> {
  return page.evaluate(
    ([of]) => {
      const lines = [...document.querySelectorAll("[data-issue^='[\"sync\",']")].filter((each) => each.textContent.includes(`${of}:`));
      return {
        issue: lines.map((each) => each.querySelector("h2")?.textContent ?? "").join(" | "),
        isIssueOld: lines.some((each) => each.textContent.includes("Last known: ")),
      };
    },
    [project] as const,
  );
}

/** The open summary of an environment: its header, pill, card and issues. */
export function readSummary(page: Page, project: string): Promise<DeliveryWords | undefined> {
  return page.evaluate(
    ([of]) => {
      const version = document.querySelector("p[data-deployed], p[data-deployment-state]");
      const pill = document.querySelector("[role=group] [data-sync]");
      if (!version || !pill) return undefined;
      const card = document.querySelector(`[data-sync-of="${of}"]`);
      const term = [...(card?.querySelectorAll("dt") ?? [])].find(({ textContent }) => textContent === "Objects");
      // Links and buttons of single objects follow in lists of their own.
      const own = [...(term?.nextElementSibling?.childNodes ?? [])].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const issues = [...document.querySelectorAll("[data-why]")].filter((each) => each.textContent.includes(`${of}:`));
      const title = new RegExp(`${of}: (?:commit [0-9a-f]{8} refused|sync of [0-9a-f]{8} failed|prune held|no newer commits)`);
      return {
        version: version.getAttribute("data-deployed")?.slice(0, 8) ?? version.textContent ?? "",
        isVersionOld: version.querySelector(".stale-data") !== null,
        sync: {
          word: pill.getAttribute("data-sync") ?? "",
          detail: (pill.querySelector("em")?.textContent ?? "").replace(/(?:, |^)as of .*$/, ""),
          isOld: pill.getAttribute("data-stale") === "true",
        },
        objects: card === null ? undefined : own.map(({ textContent }) => textContent).join(""),
        issue: issues.map((each) => title.exec(each.textContent)?.[0] ?? each.textContent).join(" | "),
        isIssueOld: issues.some((each) => each.textContent.includes("Last known: ")),
      };
    },
    [project] as const,
  );
}

/** What the open events of an environment say of its delivery. */
export function readEvents(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-delivery] p")].map(({ firstChild }) => (firstChild?.textContent ?? "").trim()),
  );
}

/** The part of an environment in HTML that no script has run in. @param html of its page, or of its row in the index */
export function readHtml(html: string): HtmlWords {
  const sync = /data-sync="([^"]*)"(?: data-stale="(true|false)")?/.exec(html);
  const commit = /data-deployed="([0-9a-f]*)"/.exec(html)?.[1];
  const missing = /data-deployment-state="\d+"[^>]*>(?:<span[^>]*>)?([^<]*)/.exec(html)?.[1];
  const isRowOld = /class="st [a-z]+ stale-data"[^>]*data-sync/.test(html);
  return { version: commit?.slice(0, 8) ?? missing ?? "", word: sync?.[1] ?? "", isOld: sync?.[2] === "true" || isRowOld };
}

/** The row of an environment in the HTML of the index. */
export function rowOf(html: string, environment: string): string {
  const at = html.indexOf(`data-environment="${environment}"`);
  return at < 0 ? "" : html.slice(at, html.indexOf("</tr>", at));
}

/** What HTML says of words for screens. */
export function htmlWordsOf({ version, sync: { word, isOld } }: { readonly version: string; readonly sync: SyncWords }): HtmlWords {
  return { version, word, isOld };
}
