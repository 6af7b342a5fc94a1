import type { Catalogue } from "../catalogue.ts";

/** A picture that somebody holds while he reads: since when, what waits, and what goes on. Facts: at (a time), count. */
export const HOLD = {
  "hold/began": "Updates of this page are paused since {at}.",
  "hold/as-of": "As of {at}, paused",
  "hold/since": "Paused since {at}: {count, plural, one {{count} change waiting} other {{count} changes waiting}}.",
  "hold/none": "Paused since {at}: nothing has changed since.",
  "hold/not-events": "Events keep updating.",
  "hold/not-logs": "Logs keep updating.",
  "hold/not-details": "Details that you open are read when you open them.",
  "hold/lost": "The connection is lost, so later changes may not be counted yet.",
  "hold/ended": "The stream has ended: resuming shows the last state received.",
} as const satisfies Catalogue;
