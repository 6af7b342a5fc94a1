import type { Catalogue } from "../../catalogue.ts";

/** What every page has, once it is loaded. */
export const VIEW_UI = {
  "ui/chosen": "{count} chosen",
  "ui/close": "Close",
  "ui/nothing-choose-from": "Nothing to choose from yet",
  "ui/show-all": "Show all",
  "ui/all": "all",
  "ui/choice": "{label}: {chosen}",
} as const satisfies Catalogue;
