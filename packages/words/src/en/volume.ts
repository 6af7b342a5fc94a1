import type { Catalogue } from "../catalogue.ts";

/** Health of volumes and of claims to them. Facts: phase. */
export const VOLUME = {
  "persistent-volume-claim/bound": "The claim is bound",
  "persistent-volume-claim/lost": "The volume of the claim is lost",
  "persistent-volume-claim/waits-for-consumer": "The claim waits for its first consumer",
  "persistent-volume-claim/pending": "The claim is not bound yet",
  "persistent-volume/there": "The volume is there",
  "persistent-volume/pending": "The volume is pending",
  "persistent-volume/available": "The volume is available",
  "persistent-volume/bound": "The volume is bound",
  "persistent-volume/released": "The volume is released",
  "persistent-volume/phase": "The volume is {phase}",
  "persistent-volume/failed": "The volume could not be reclaimed",
} as const satisfies Catalogue;
