import type { Source } from "@binnacle/proto/dashboard";
import { ConnectionState, SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import { said, sayLater } from "../../ui/said.ts";
import type { LiveEvents } from "../live/use-events.ts";

/** Whether nothing of the Events may be read: then nobody knows whether there are any. */
export function isForbidden({ state }: Pick<LiveEvents, "state">): boolean {
  const sources = state?.sources ?? [];
  return sources.length > 0 && sources.every(({ settled }) => settled === SettledState.FORBIDDEN);
}

/** Sentences about what is not seen, or not seen well; none when all is. */
export function eventsGaps({ state, connection, lost }: LiveEvents): string[] {
  const sources = state?.sources ?? [];
  const hidden = sources.filter(({ settled }) => settled === SettledState.FORBIDDEN).map(({ namespace }) => namespace);
  const isAway = connection !== undefined && connection.state !== ConnectionState.CONNECTED && connection.state !== ConnectionState.CONNECTING;
  return [
    ...(lost === undefined ? [] : [sayLater("events/lost")]),
    ...(isAway && lost === undefined ? [sayLater("events/away")] : []),
    ...(hidden.length > 0 && hidden.length < sources.length ? [sayLater("events/forbidden-in", { namespaces: hidden.join(", ") })] : []),
    ...new Set(sources.flatMap(gapOf)),
    ...(state !== undefined && !state.tellsLife ? [sayLater("events/no-life")] : []),
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
