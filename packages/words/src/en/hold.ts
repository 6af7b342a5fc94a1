import type { Catalogue } from "../catalogue.ts";

/** A picture that somebody holds while he reads: since when, what waits, and what goes on. Facts: at (a time), count. */
export const HOLD = {
  "hold/began": "The picture of this page is held since {at}.",
  "hold/as-of": "As of {at}, held",
  "hold/since": "Held since {at}: {count:one=# change waiting|other=# changes waiting}.",
  "hold/none": "Held since {at}: nothing has changed since.",
  "hold/not-events": "Events are not held, they go on.",
  "hold/not-details": "Details that you open are read when you open them.",
  "hold/lost": "The stream is lost, so what changes meanwhile may not be counted yet.",
  "hold/ended": "The stream has ended: going on shows the last that came.",
} as const satisfies Catalogue;
