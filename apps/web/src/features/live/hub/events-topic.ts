import { eventsAfter, eventsMessage, NO_EVENTS, type EventsContent } from "../events-content.ts";
import { isFinal, type TopicContent, type TopicType } from "./typed-replica.ts";

/** Events of an environment. */
export const EVENTS_TOPIC: TopicType<TopicContent & { readonly events: EventsContent }> = {
  empty: { events: NO_EVENTS, isAwaited: true, atMs: 0, confirmedAtMs: 0, isOver: false },
  reduce(before, { answer, atMs, first }) {
    if (answer.case !== "events") return before;
    const { position, state, problem } = answer.value;
    const isAwaited = (before.isAwaited || first) && position === undefined && state === undefined;
    const events = eventsAfter(before.events, answer.value);
    return { events, isAwaited, atMs, confirmedAtMs: isAwaited ? before.confirmedAtMs : atMs, isOver: isFinal(problem) };
  },
  messagesOf({ events: { problem, ...rest }, atMs }) {
    if (atMs === 0) return [];
    const messages = [eventsMessage(rest), ...(problem === undefined ? [] : [eventsMessage({ ...NO_EVENTS, problem })])];
    return messages.map((value) => ({ atMs, answer: { case: "events", value } }));
  },
  positionOf: ({ events }) => (events.state?.complete === true ? events.position : undefined),
};
