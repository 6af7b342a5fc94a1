import { PAGE } from "@binnacle/words/en/page";

import type { FirstCatalogue } from "./first-catalogue.ts";

/**
 * A browser loads its language while the page is read (`package.json`, "imports"): the HTML brings the sentences that it shows. What the page
 * says by itself, that the server does not answer for example, cannot wait for a server.
 */
export const FIRST_CATALOGUE: FirstCatalogue = { catalogue: PAGE, isWhole: false };
