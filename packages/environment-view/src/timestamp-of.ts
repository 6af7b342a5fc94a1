import { timestampFromMs, type Timestamp } from "@bufbuild/protobuf/wkt";

/** RFC 3339 text as a timestamp; `undefined` for text that is no time. */
export function timestampOf(text: string | undefined): Timestamp | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : timestampFromMs(ms);
}

/** A field with a time, or nothing when the text is no time. */
export function timeField<K extends string>(name: K, text: string | undefined): Partial<Record<K, Timestamp>> {
  const timestamp = timestampOf(text);
  // The one computed key is `name`.
  return timestamp === undefined ? {} : ({ [name]: timestamp } as Partial<Record<K, Timestamp>>);
}
