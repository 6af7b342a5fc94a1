import type { Source } from "@binnacle/proto/dashboard";
import { ConnectionState, SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import { said, sayLater } from "../../ui/said.ts";
import type { LiveEvents } from "../live/use-events.ts";

/** Whether nothing of the Events may be read: then nobody knows whether there are any. */
export function isForbidden({ state }: Pick<LiveEvents, "state">): boolean {
  const sources = state?.sources ?? [];
  return sources.length > 0 && sources.every(({ settled }) => settled === SettledState.FORBIDDEN);
}

/** Whether nothing of them could be read so far, and that is nobody's right. */
export function isUnread({ state }: Pick<LiveEvents, "state">): boolean {
  const sources = state?.sources ?? [];
  return sources.length > 0 && sources.every(({ settled }) => settled === SettledState.ERROR);
}

/** Sentences about what is not seen, or not seen well; none when all is. */
export function eventsGaps(live: LiveEvents): string[] {
  const { state, connection, lost } = live;
  const sources = state?.sources ?? [];
  const hidden = sources.filter(({ settled }) => settled === SettledState.FORBIDDEN).map(({ namespace }) => namespace);
  const isAway =
    connection !== undefined && connection.state !== ConnectionState.CONNECTED && connection.state !== ConnectionState.CONNECTING;
  return [
    ...(lost === undefined ? [] : [sayLater("events/lost")]),
    ...(isAway && lost === undefined ? [sayLater("events/away")] : []),
    ...(hidden.length > 0 && hidden.length < sources.length ? [sayLater("events/forbidden-in", { namespaces: hidden.join(", ") })] : []),
    ...(isForbidden(live) ? [sayLater("events/forbidden")] : []),
    ...new Set(sources.flatMap(gapOf)),
  ];
}

function gapOf(source: Source): string[] {
  if (source.settled === SettledState.TRUNCATED) return [sayLater("events/truncated", { said: said(source.words) })];
  if (source.settled === SettledState.ERROR) return [sayLater("events/never-read", { said: said(source.words) })];
  if (source.staleCause === StaleCause.SAMPLED && source.every !== undefined)
    return [sayLater("events/sampled", { seconds: Number(source.every.seconds) })];
  if (source.staleCause === StaleCause.ERROR) return [sayLater("events/failing", { said: said(source.staleWords) })];
  return [];
}
