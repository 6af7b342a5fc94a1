import { pseudoCatalogue, QUOTED, type CompiledCatalogue } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

/** "pseudo" is for tests: no server speaks it but one that was told to. What somebody else says stands in other brackets. */
export type LanguageName = "en" | "pseudo";

/** The whole of a language. */
export function wholeLanguage(name: LanguageName): CompiledCatalogue {
  return name === "pseudo" ? { ...pseudoCatalogue(ENGLISH), [QUOTED]: ["⟪", ["text"], "⟫"] } : ENGLISH;
}
