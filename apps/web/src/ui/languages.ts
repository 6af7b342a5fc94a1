import { pseudoCatalogue, type Catalogue } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

/** "pseudo" is for tests: no server speaks it but one that was told to. */
export type LanguageName = "en" | "pseudo";

/** The whole of a language. */
export function wholeLanguage(name: LanguageName): Catalogue {
  return name === "pseudo" ? pseudoCatalogue(ENGLISH) : ENGLISH;
}
