import { timeOf } from "../age.ts";
import { CLOCK_SLACK_MS } from "./first-bad-at.ts";
import type { EventFact } from "../event-fact.ts";

/** Controllers repeat a warning at least so often while its cause lasts: the slowest back-off, of failed creations, is below 17 minutes. */
const SILENCE_MS = 20 * 60_000;

/**
 * The same events, each warning with the time at which its episode began: Kubernetes begins a new Event when a series has paused, though the
 * problem continued. Events of the same object with the same reason, without a longer silence between, are one episode.
 */
export function withEpisodes(events: readonly EventFact[]): EventFact[] {
  const series = Map.groupBy(events, (event) => (event.warning && !Number.isNaN(timeOf(event.firstAt)) ? seriesOf(event) : ""));
  return [...series].flatMap(([key, members]) => (key === "" || members.length === 1 ? members : begunTogether(members)));
}

/**
 * An event beside a condition for the same problem: it began with the earlier of the two, but never before the condition changed, when all
 * was still well: an event before that belongs to an episode that is over. Without a condition the events decide.
 *
 * @param leadMs how long before its condition the trouble itself may be heard of
 */
export function besideCondition(event: EventFact, conditionAt: string, leadMs = CLOCK_SLACK_MS): EventFact {
  const [began, changed] = [timeOf(event.beganAt), timeOf(conditionAt)];
  if (Number.isNaN(changed) || (began >= changed - leadMs && began <= changed)) return event;
  return { ...event, beganAt: conditionAt };
}

function seriesOf({ about, reason, container }: EventFact): string {
  return [about.uid ?? "", about.kind, about.namespace, about.name, reason, container].join("\n");
}

function begunTogether(members: readonly EventFact[]): EventFact[] {
  const ordered = members.toSorted(
    (left, right) => timeOf(left.firstAt) - timeOf(right.firstAt) || (left.firstAt < right.firstAt ? -1 : 1),
  );
  let [beganAt, lastSeenMs] = ["", Number.NEGATIVE_INFINITY];
  return ordered.map((event) => {
    const [firstMs, lastMs] = [timeOf(event.firstAt), timeOf(event.lastAt)];
    if (firstMs > lastSeenMs + SILENCE_MS) beganAt = event.firstAt;
    lastSeenMs = Math.max(lastSeenMs, firstMs, Number.isNaN(lastMs) ? firstMs : lastMs);
    return { ...event, beganAt };
  });
}
