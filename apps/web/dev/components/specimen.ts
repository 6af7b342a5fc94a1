import type { ReactNode } from "react";

/** A component in one state. */
export interface Specimen {
  /** What it shows, in a few words; its anchor is made of it. */
  readonly title: string;
  readonly body: ReactNode;
  /** What opens stands open, in a frame of this height. */
  readonly openPx?: number;
}

/** Specimens of one component, or of some that belong together. */
export interface SpecimenGroup {
  readonly title: string;
  readonly specimens: readonly Specimen[];
}

/** The anchor of a title: "Pills: health, partial" → `pills-health-partial`. */
export function anchorOf(...titles: readonly string[]): string {
  return titles
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
}
