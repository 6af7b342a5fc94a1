import { Fault } from "@binnacle/rpc";

/** More than a small line shows. */
const MAX_POINTS = 60;
const USUAL_MINUTES = 30;
const MAX_MINUTES = 1_440;
/** Questions of one moment are the same question. */
export const MOMENT_S = 5;

/** Moments at equal distances; times in seconds of the epoch. */
export interface TimeGrid {
  readonly start: number;
  readonly step: number;
  readonly points: number;
}

/** The moments of the last so many minutes. @param minutes 0: 30 @throws Fault `invalid_request` */
export function timeGrid(minutes: number, nowMs: number): TimeGrid {
  if (minutes > MAX_MINUTES) throw new Fault("invalid_request", `metrics are shown of ${MAX_MINUTES} minutes at most`);
  // A second of each minute is a sixtieth of all.
  const step = minutes || USUAL_MINUTES;
  const end = Math.floor(nowMs / 1_000 / MOMENT_S) * MOMENT_S;
  return { start: end - (MAX_POINTS - 1) * step, step, points: MAX_POINTS };
}

/** The last moment. */
export function endOf({ start, step, points }: TimeGrid): number {
  return start + (points - 1) * step;
}

/** Values by moment from samples as Prometheus writes them: `[seconds, "0.5"]`. What is missing, and what is no number, is NaN. */
export function valuesOn(grid: TimeGrid, samples: readonly unknown[]): number[] {
  const values = Array.from({ length: grid.points }, () => Number.NaN);
  for (const sample of samples) {
    const [at, text]: readonly unknown[] = Array.isArray(sample) ? sample : [];
    if (typeof at !== "number" || typeof text !== "string") continue;
    const index = Math.round((at - grid.start) / grid.step);
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (index >= 0 && index < grid.points && Number.isFinite(value)) values[index] = value;
  }
  return values;
}
