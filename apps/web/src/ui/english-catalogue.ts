import { ENGLISH } from "@binnacle/words/en";

import type { FirstCatalogue } from "./first-catalogue.ts";

/** What is spoken where pages are made and tested: it costs nothing there. */
export const FIRST_CATALOGUE: FirstCatalogue = { catalogue: ENGLISH, isWhole: true };
