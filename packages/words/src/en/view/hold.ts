import type { Catalogue } from "../../catalogue.ts";

/** What `features/hold` says, once it is loaded. */
export const VIEW_HOLD = {
  "hold/go-on": "Go on",
  "hold/held": "Held · ",
  "hold/hold": "Hold",
  "hold/keep-picture-as": "Keep the picture as it is while you read",
} as const satisfies Catalogue;
