import type { Catalogue } from "../catalogue.ts";

/** Health statuses, a word each. */
export const STATUS = {
  "status/partial": "{status} (partial)",
  "status/none": "Empty",
  "status/healthy": "Healthy",
  "status/suspended": "Suspended",
  "status/progressing": "Progressing",
  "status/missing": "Missing",
  "status/degraded": "Degraded",
  "status/unknown": "Unknown",
} as const satisfies Catalogue;
