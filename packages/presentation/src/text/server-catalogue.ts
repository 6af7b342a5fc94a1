import { PAGE } from "@binnacle/words/en/page";

import type { FirstCatalogue } from "./first-catalogue.ts";
import { wholeLanguage, type LanguageName } from "./languages.ts";

interface Spoken {
  readonly whole: FirstCatalogue;
  readonly page: FirstCatalogue;
}

const MADE = new Map<LanguageName, Spoken>();

/** The seam between this process and the pages that Next renders in it, as in `server/in-process.ts`: they share no module. */
const SEAM = Symbol.for("binnacle.language");

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

/** The pages of this process speak this language from now on. */
export function speakLanguage(name: LanguageName): void {
  Reflect.set(globalThis, SEAM, name);
}

/** The language of the pages of this process; English by default. */
function spokenLanguage(): LanguageName {
  return Reflect.get(globalThis, SEAM) === "pseudo" ? "pseudo" : "en";
}
