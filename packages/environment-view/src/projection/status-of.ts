import type { HealthStatus as HealthWord } from "@binnacle/health";
import { HealthStatus } from "@binnacle/proto/dashboard";

/** What each status is called in messages. */
export const STATUS = {
  Healthy: HealthStatus.HEALTHY,
  Suspended: HealthStatus.SUSPENDED,
  Progressing: HealthStatus.PROGRESSING,
  Missing: HealthStatus.MISSING,
  Degraded: HealthStatus.DEGRADED,
  Unknown: HealthStatus.UNKNOWN,
} as const satisfies Record<HealthWord, HealthStatus>;

/** A status in a message; `null` is no opinion. */
export function statusOf(word: HealthWord | null): HealthStatus {
  return word === null ? HealthStatus.UNSPECIFIED : STATUS[word];
}
