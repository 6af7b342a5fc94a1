import type { Catalogue } from "@binnacle/words";

/** What is spoken before the language of the page is there. */
export interface FirstCatalogue {
  readonly catalogue: Catalogue;
  /** It is the whole language. */
  readonly isWhole: boolean;
}
