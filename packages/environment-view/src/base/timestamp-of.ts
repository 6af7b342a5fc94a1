import { isTime, timeField as timeFieldOf, toTimestamp } from "@binnacle/proto/wire-values";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** RFC 3339 text as a timestamp; `undefined` for text that is no time. */
export function timestampOf(text: string | undefined): Timestamp | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return isTime(ms) ? toTimestamp(ms) : undefined;
}

/** A field with a time, or nothing when the text is no time. */
export function timeField<K extends string>(name: K, text: string | undefined): { readonly [Each in K]?: Timestamp } {
  return timeFieldOf(name, text === undefined ? undefined : Date.parse(text));
}
