import { words } from "@binnacle/words";

import type { Evidence } from "../evidence.ts";
import { fieldIs, type Opinion } from "../opinion.ts";
import type { CountReading } from "../readings.ts";

/** As many are ready, updated, available, … as are wanted, or fewer; some are ill. */
export function counters({ readings }: Evidence): Opinion | null {
  // What is paused by its own state is short of something on purpose.
  const isPaused = readings.states.some(({ own, status }) => own && status === "Suspended");
  const [first, ...others] = isPaused ? readings.counts.filter(({ isIll }) => isIll) : readings.counts;
  if (first === undefined) return null;
  const { path, have, wantPath, want, enough, isIll } = others.reduce((one, other) => (isBefore(other, one) ? other : one), first);
  const because =
    wantPath !== "" ? words("because/count", { path, value: have, wantPath, want }) : fieldIs(path, want === 0 ? have : `${have}/${want}`);
  if (isIll) return { status: "Degraded", reason: "Unhealthy", message: because, because };
  return { status: enough ? "Healthy" : "Progressing", reason: enough ? "Ready" : "NotReady", message: because, because };
}

/** What is ill first, then what is too few, then by path: the order of fields does not matter. */
function isBefore(one: CountReading, other: CountReading): boolean {
  if (one.isIll !== other.isIll) return one.isIll;
  return one.enough === other.enough ? one.path < other.path : !one.enough;
}
