import type { Catalogue } from "../../catalogue.ts";

/** What `features/hold` says, once it is loaded. */
export const VIEW_HOLD = {
  "hold/title": "Paused · {title}",
  "hold/go-on": "Resume",
  "hold/hold": "Pause updates",
  "hold/keep-picture-as": "Keep this page as it is while you read",
} as const satisfies Catalogue;
