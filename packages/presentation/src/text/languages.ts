import { pseudoCatalogue, QUOTED, type CompiledCatalogue } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

/** "pseudo" is for tests: only a server that was set to it uses it. Foreign text stands in other brackets. */
export type LanguageName = "en" | "pseudo";

/** The whole of a language. */
export function wholeLanguage(name: LanguageName): CompiledCatalogue {
  return name === "pseudo" ? { ...pseudoCatalogue(ENGLISH), [QUOTED]: ["⟪", ["text"], "⟫"] } : ENGLISH;
}
