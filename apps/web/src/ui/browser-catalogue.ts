import { PAGE_WORDS_ID, type FirstCatalogue } from "./first-catalogue.ts";

/**
 * A browser loads its language while the page is read (`package.json`, "imports"): the HTML brings the sentences that it shows, and what the
 * page says by itself. That the server does not answer, for example, cannot wait for a server.
 */
export function firstCatalogue(): FirstCatalogue {
  // The server that made the page wrote it.
  const words = JSON.parse(pageWords() || "{}") as Partial<FirstCatalogue>;
  return { catalogue: words.catalogue ?? {}, language: words.language ?? "en", isWhole: false };
}

/** What the HTML has brought; empty where a page was made by nobody who knows it. */
export function pageWords(): string {
  return document.getElementById(PAGE_WORDS_ID)?.textContent ?? "";
}
