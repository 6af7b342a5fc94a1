import { create } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema, type Duration, type Timestamp } from "@bufbuild/protobuf/wkt";

/**
 * The times that a Timestamp may hold, in milliseconds since the epoch: years 1 to 9999.
 *
 * @see https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp
 */
export const MIN_TIME_MS = Date.parse("0001-01-01T00:00:00.000Z");
export const MAX_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** The longest Duration, in seconds. @see https://protobuf.dev/reference/protobuf/google.protobuf/#duration */
export const MAX_DURATION_S = 315_576_000_000;

const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT32 = 2 ** 32 - 1;
const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000n;
const MAX_SECONDS = BigInt(Math.floor(MAX_TIME_MS / 1_000));

/**
 * A time of a clock of ours. Total: fractions of a millisecond are rounded, what lies outside of years 1 to 9999 becomes the nearest of
 * them, and NaN the epoch. For foreign times use `timeField`.
 *
 * @param ms milliseconds since the epoch
 */
export function toTimestamp(ms: number): Timestamp {
  const whole = Number.isNaN(ms) ? 0 : Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, Math.round(ms)));
  const seconds = Math.floor(whole / 1_000);
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: (whole - seconds * 1_000) * NANOS_PER_MS });
}

/** A time with nanoseconds, since 1970; later than the year 9999 counts as its end. */
export function toNanosTimestamp(nanos: bigint): Timestamp {
  const seconds = nanos < 0n ? 0n : nanos / NANOS_PER_SECOND;
  if (seconds > MAX_SECONDS) return create(TimestampSchema, { seconds: MAX_SECONDS, nanos: 0 });
  return create(TimestampSchema, { seconds, nanos: nanos < 0n ? 0 : Number(nanos % NANOS_PER_SECOND) });
}

/** The other direction of `toNanosTimestamp`; `undefined` for a time before 1970, after the year 9999 or with nanoseconds beyond a second. */
export function nanosOf({ seconds, nanos }: Timestamp): bigint | undefined {
  if (seconds < 0n || seconds > MAX_SECONDS || nanos < 0 || nanos >= 1e9 || !Number.isInteger(nanos)) return undefined;
  return seconds * NANOS_PER_SECOND + BigInt(nanos);
}

/** A field with a foreign time, or nothing when it is absent or no time that a message can hold. */
export function timeField<K extends string>(name: K, ms: number | undefined): { readonly [Each in K]?: Timestamp } {
  return fieldOf(name, ms !== undefined && isTime(ms) ? toTimestamp(ms) : undefined);
}

/** A field with a period of time, or nothing when it is absent, negative or no number. Longer ones become the longest. */
export function durationField<K extends string>(name: K, ms: number | undefined): { readonly [Each in K]?: Duration } {
  return fieldOf(name, ms !== undefined && ms >= 0 ? toDuration(ms) : undefined);
}

/** Whether a message can hold it. @param ms milliseconds since the epoch */
export function isTime(ms: number): boolean {
  return ms >= MIN_TIME_MS && ms <= MAX_TIME_MS;
}

/** Milliseconds since the epoch; `undefined` for what no calendar has. */
export function timeOf({ seconds, nanos }: Timestamp): number | undefined {
  const ms = Number(seconds) * 1_000 + Math.round(nanos / NANOS_PER_MS);
  return nanos >= 0 && nanos < 1e9 && isTime(ms) ? ms : undefined;
}

/** Whether it is what the contract of Duration allows. */
export function isDuration({ seconds, nanos }: Duration): boolean {
  const [whole, rest] = [Number(seconds), nanos];
  return Math.abs(whole) <= MAX_DURATION_S && Math.abs(rest) < 1e9 && (whole === 0 || rest === 0 || whole < 0 === rest < 0);
}

/** A count for an unsigned field of 32 bits: what a cluster claims may be any number. */
export function toUint32(claimed: number): number {
  return Math.min(MAX_UINT32, Math.max(0, Math.trunc(claimed) || 0));
}

/** A number for a signed field of 32 bits. */
export function toInt32(claimed: number): number {
  return Math.min(MAX_INT32, Math.max(-MAX_INT32 - 1, Math.trunc(claimed) || 0));
}

function toDuration(ms: number): Duration {
  const whole = Math.min(MAX_DURATION_S * 1_000, Math.round(ms));
  const seconds = Math.floor(whole / 1_000);
  return create(DurationSchema, { seconds: BigInt(seconds), nanos: (whole - seconds * 1_000) * NANOS_PER_MS });
}

function fieldOf<K extends string, V>(name: K, value: V | undefined): { readonly [Each in K]?: V } {
  // The one computed key is `name`.
  return value === undefined ? {} : ({ [name]: value } as { readonly [Each in K]?: V });
}
