import { sayLater } from "../../ui/said.ts";
import type { LiveEvents } from "../live/use-events.ts";
import { isForbidden, isUnread } from "./events-gaps.ts";

/** How many events are shown, and of how many. */
export function eventsNumber(live: LiveEvents, shown: number): string {
  const { events, state } = live;
  // Where nobody knows whether there are any, there is no number of them.
  if (events.size === 0 && (state?.complete !== true || isForbidden(live) || isUnread(live))) return "";
  if (shown < events.size) return sayLater("events/number/filtered", { shown, total: events.size });
  const total = state?.total ?? 0;
  return total > events.size ? sayLater("events/number/cut", { shown, total }) : sayLater("events/number", { total: events.size });
}
