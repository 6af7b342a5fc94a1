import type { CompiledCatalogue } from "@binnacle/words";

import type { LanguageName } from "./languages.ts";

/** What is spoken before the whole language of the page is there. */
export interface FirstCatalogue {
  readonly catalogue: CompiledCatalogue;
  readonly language: LanguageName;
  /** It is the whole language. */
  readonly isWhole: boolean;
}
