import { textAt, type Fields } from "@binnacle/kube";

import { notAfterNow, timeOf } from "../age.ts";

/** Clocks of nodes, and times cut to whole seconds, may be this far apart. */
export const CLOCK_SLACK_MS = 5_000;

/** Before Kubernetes was; zero times of Go are written as the year 1. */
const BEFORE_KUBERNETES = Date.parse("2014-01-01T00:00:00Z");

/**
 * The earliest of these times that can be true: not before the resource was created. As written; one in the future is cut to now, for the
 * clock that wrote it runs ahead.
 *
 * @param now milliseconds since the epoch; `undefined` = not known
 */
export function earliestCredible(times: readonly string[], metadata: Fields, now: number | undefined): string | undefined {
  const created = timeOf(textAt(metadata, "creationTimestamp"));
  const from = Number.isNaN(created) ? BEFORE_KUBERNETES : Math.max(created, BEFORE_KUBERNETES);
  let earliest: { readonly text: string; readonly at: number } | undefined;
  for (const written of times) {
    if (!(timeOf(written) >= from)) continue;
    const text = notAfterNow(written, now);
    const at = timeOf(text);
    if (earliest === undefined || at < earliest.at || (at === earliest.at && text < earliest.text)) earliest = { text, at };
  }
  return earliest?.text;
}
