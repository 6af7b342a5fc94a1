import type { Activity as ActivityWord, HealthStatus as HealthWord } from "@binnacle/health";
import { Activity, HealthStatus } from "@binnacle/proto/dashboard";

/** What each status is called in messages. */
export const STATUS = {
  Healthy: HealthStatus.HEALTHY,
  Suspended: HealthStatus.SUSPENDED,
  Progressing: HealthStatus.PROGRESSING,
  Missing: HealthStatus.MISSING,
  Degraded: HealthStatus.DEGRADED,
  Unknown: HealthStatus.UNKNOWN,
} as const satisfies Record<HealthWord, HealthStatus>;

/** What each activity is called in messages. */
export const ACTIVITY = {
  "not-ready": Activity.NOT_READY,
  "rolling-out": Activity.ROLLING_OUT,
  starting: Activity.STARTING,
  waiting: Activity.WAITING,
  deleting: Activity.DELETING,
  running: Activity.RUNNING,
  "in-progress": Activity.IN_PROGRESS,
} as const satisfies Record<ActivityWord, Activity>;

/** A status in a message; `null` is no opinion. */
export function statusOf(word: HealthWord | null): HealthStatus {
  return word === null ? HealthStatus.UNSPECIFIED : STATUS[word];
}
