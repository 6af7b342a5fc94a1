import { changedAt } from "../age.ts";
import type { HealthStatus } from "../health-status.ts";
import { quotedOr } from "../quoted-or.ts";
import type { Evidence } from "./evidence.ts";
import { fieldIs, isWorse, type Opinion } from "./opinion.ts";
import type { StateReading } from "./readings.ts";

/**
 * The worst of the states that were read; of two that are as bad the one whose path comes first, so that the order of fields does not
 * matter.
 *
 * @param statusOf what a reading says; `undefined` = it is not heard
 */
export function worstState(evidence: Evidence, statusOf: (reading: StateReading) => HealthStatus | undefined): Opinion | null {
  let worst: { readonly reading: StateReading; readonly status: HealthStatus } | undefined;
  for (const reading of evidence.readings.states) {
    const status = statusOf(reading);
    if (status === undefined) continue;
    const wins = worst === undefined || isWorse(status, worst.status) || (status === worst.status && reading.path < worst.reading.path);
    if (wins) worst = { reading, status };
  }
  if (worst === undefined) return null;
  const { path, value, message } = worst.reading;
  return {
    status: worst.status,
    reason: value,
    message: quotedOr(message, "because/field", { path, value }),
    since: changedAt(undefined, evidence.input),
    because: fieldIs(path, value),
  };
}
