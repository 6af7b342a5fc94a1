import type { Catalogue } from "../catalogue.ts";

/** The menu of whoever is signed in. Fact: the name of a zone. */
export const MENU = {
  "menu/times": "Times",
  "menu/times/local": "{zone}, local",
} as const satisfies Catalogue;
