import { maskCredentials } from "@binnacle/health";
import { numberAt, textAt, type KubeObject } from "@binnacle/kube";

/** The API allows no more in an Event; longer claims of an object would cost every reader of Events. */
const MAX_MESSAGE_CHARS = 1_024;
/** Of what should be a word. */
const MAX_WORD_CHARS = 128;
/** The largest number that a message can hold. */
const MAX_TIMES = 2 ** 32 - 1;

/** An Event of core/v1 or events.k8s.io, as it may be shown. */
export interface EventFacts {
  /** "Normal" or "Warning", as a rule. */
  readonly type: string;
  readonly reason: string;
  /** Without credentials, at most 1,024 characters. */
  readonly message: string;
  /** How often, at least 1. */
  readonly count: number;
  /** Milliseconds since the epoch; absent when nothing says it. */
  readonly firstMs: number | undefined;
  /** As `firstMs`. */
  readonly lastMs: number | undefined;
  /** Component that reported it. */
  readonly source: string;
}

/** Reads an Event loosely: what is not there is empty. */
export function eventFactsOf(event: KubeObject): EventFacts {
  const { series } = event;
  // A reporter of series has the first time in `eventTime` and may fill in the old fields as well; either may be null.
  const first = timesOf([event, "firstTimestamp"], [event, "deprecatedFirstTimestamp"], [event, "eventTime"]);
  const last = timesOf([series, "lastObservedTime"], [event, "lastTimestamp"], [event, "deprecatedLastTimestamp"], [event, "eventTime"]);
  const created = timesOf([event.metadata, "creationTimestamp"]);
  const [firstMs, lastMs] = [first.length > 0 ? first : created, [...last, ...(last.length > 0 ? first : [...first, ...created])]];
  return {
    type: wordAt(event, "type"),
    reason: wordAt(event, "reason"),
    message: maskCredentials(textAt(event, "message") || textAt(event, "note"), MAX_MESSAGE_CHARS),
    count: countOf(event),
    firstMs: firstMs.length === 0 ? undefined : Math.min(...firstMs),
    lastMs: lastMs.length === 0 ? undefined : Math.max(...lastMs),
    source: wordAt(event, "reportingComponent") || wordAt(event, "reportingController") || wordAt(sourceOf(event), "component"),
  };
}

/** Two events of the same as one. */
export function foldFacts(one: EventFacts, other: EventFacts): EventFacts {
  const newest = (other.lastMs ?? 0) > (one.lastMs ?? 0) ? other : one;
  return {
    ...newest,
    count: Math.min(MAX_TIMES, one.count + other.count),
    firstMs: least(one.firstMs, other.firstMs),
    lastMs: newest.lastMs ?? one.lastMs ?? other.lastMs,
  };
}

/** Of one Event all its counts are of the same happenings: one of them counts, never their sum. */
function countOf(event: KubeObject): number {
  const count = numberAt(event["series"], "count") ?? numberAt(event, "count") ?? numberAt(event, "deprecatedCount") ?? 1;
  return Number.isSafeInteger(count) && count > 0 ? Math.min(MAX_TIMES, count) : 1;
}

function sourceOf(event: KubeObject): unknown {
  return event["source"] ?? event["deprecatedSource"];
}

function wordAt(parent: unknown, name: string): string {
  return textAt(parent, name).slice(0, MAX_WORD_CHARS);
}

function timesOf(...places: readonly (readonly [unknown, string])[]): number[] {
  return places.map(([parent, name]) => Date.parse(textAt(parent, name))).filter((ms) => !Number.isNaN(ms));
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
