import type { Evidence } from "../evidence.ts";
import { fieldIs, isWorse, type Opinion } from "../opinion.ts";
import type { FlagReading } from "../readings.ts";

/** Booleans whose name says what they mean: `healthy: false`, `ready: false`, `failed: true`. That all is well only those of the object say. */
export function flags({ readings }: Evidence): Opinion | null {
  let worst: FlagReading | undefined;
  for (const flag of readings.flags) {
    if (flag.status === "Healthy" && !flag.own) continue;
    if (worst === undefined || isWorse(flag.status, worst.status) || (flag.status === worst.status && flag.path < worst.path)) worst = flag;
  }
  if (worst === undefined) return null;
  const because = fieldIs(worst.path, worst.value);
  return { status: worst.status, reason: worst.path.slice(worst.path.lastIndexOf(".") + 1), message: because, because };
}
