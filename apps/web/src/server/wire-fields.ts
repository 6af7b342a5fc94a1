import type { ViewHealthStatus, ViewRef } from "@binnacle/environment-view";
import { HealthStatus, ResourceRefSchema, type ResourceRef } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";

/** Statuses of the view on the wire. */
export const HEALTH = {
  Healthy: HealthStatus.HEALTHY,
  Suspended: HealthStatus.SUSPENDED,
  Progressing: HealthStatus.PROGRESSING,
  Missing: HealthStatus.MISSING,
  Degraded: HealthStatus.DEGRADED,
  Unknown: HealthStatus.UNKNOWN,
} as const satisfies Record<ViewHealthStatus, HealthStatus>;

/** RFC 3339 text as a timestamp; `undefined` for text that is no time. */
export function toTimestamp(text: string | undefined): Timestamp | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : timestampFromMs(ms);
}

/** A field with a time, or nothing when the text is no time. */
export function timeField<K extends string>(name: K, text: string | undefined): Partial<Record<K, Timestamp>> {
  const timestamp = toTimestamp(text);
  // The one computed key is `name`.
  return timestamp === undefined ? {} : ({ [name]: timestamp } as Partial<Record<K, Timestamp>>);
}

/** A reference for the wire. */
export function toRef(ref: ViewRef): ResourceRef {
  return create(ResourceRefSchema, { ...ref });
}
