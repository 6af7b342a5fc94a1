import type { DetailTone } from "@binnacle/proto/dashboard";
import type { StateLook } from "../../../ui/state-glyph.tsx";

/** Looks by the number of a tone; numbers that a newer server sends are neither good nor bad. */
const LOOKS: readonly StateLook[] = ["neutral", "healthy", "progressing", "degraded"];

/** The look of a fact. */
export function toneLook(tone: DetailTone): StateLook {
  return LOOKS[tone] ?? "neutral";
}
