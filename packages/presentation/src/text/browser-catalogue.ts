import type { FirstCatalogue } from "./first-catalogue.ts";

/**
 * A browser loads its language while the page is read (`package.json`, "imports"): the HTML brings the sentences that it shows, and what the
 * page says by itself (`PageWords`). That the server does not answer, for example, cannot wait for a server.
 */
export function firstCatalogue(): FirstCatalogue {
  return { catalogue: {}, language: "en", isWhole: false };
}
