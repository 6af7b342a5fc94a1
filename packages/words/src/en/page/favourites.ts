import type { Catalogue } from "../../catalogue.ts";

/** What `features/favourites` says, as soon as the page is there. */
export const PAGE_FAVOURITES = {
  "favourites/add-your-favourites": "Add to your favourites",
  "favourites/favourite": "Favourite: {environment}",
  "favourites/one-your-favourites": "One of your favourites",
} as const satisfies Catalogue;
