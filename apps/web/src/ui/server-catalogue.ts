import { PAGE } from "@binnacle/words/en/page";

import type { FirstCatalogue } from "./first-catalogue.ts";
import { wholeLanguage, type LanguageName } from "./languages.ts";
import { spokenLanguage } from "./spoken-language.ts";

interface Spoken {
  readonly whole: FirstCatalogue;
  readonly page: FirstCatalogue;
}

const MADE = new Map<LanguageName, Spoken>();

/** What is spoken where pages are made and tested: it costs nothing there. */
export function firstCatalogue(): FirstCatalogue {
  return spoken().whole;
}

/** What pages say by themselves, for their HTML. */
export function pageCatalogue(): FirstCatalogue {
  return spoken().page;
}

/** Made once: every page has it. */
function spoken(): Spoken {
  const language = spokenLanguage();
  const made = MADE.get(language) ?? makeOf(language);
  MADE.set(language, made);
  return made;
}

function makeOf(language: LanguageName): Spoken {
  const catalogue = wholeLanguage(language);
  const page = Object.fromEntries(Object.keys(PAGE).map((id) => [id, catalogue[id] ?? ""]));
  return { whole: { catalogue, language, isWhole: true }, page: { catalogue: page, language, isWhole: false } };
}
