import { PAGE } from "@binnacle/words/en/page";

import type { FirstCatalogue } from "./first-catalogue.ts";
import { wholeLanguage } from "./languages.ts";
import { spokenLanguage } from "./spoken-language.ts";

/** What is spoken where pages are made and tested: it costs nothing there. */
export function firstCatalogue(): FirstCatalogue {
  const language = spokenLanguage();
  return { catalogue: wholeLanguage(language), language, isWhole: true };
}

/** What pages say by themselves, for their HTML. */
export function pageCatalogue(): FirstCatalogue {
  const { catalogue, language } = firstCatalogue();
  return { catalogue: Object.fromEntries(Object.keys(PAGE).map((id) => [id, catalogue[id] ?? ""])), language, isWhole: false };
}
