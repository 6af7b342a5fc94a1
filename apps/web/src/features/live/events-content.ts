import {
  WatchEventsResponseSchema,
  type AgentMoment,
  type Connection,
  type EnvironmentEvent,
  type EventsState,
  type Problem,
  type ViewPosition,
  type WatchEventsResponse,
} from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { create } from "@bufbuild/protobuf";

/** What is known of the events of an environment. */
export interface EventsContent {
  /** By id, in no order. */
  readonly events: ReadonlyMap<string, EnvironmentEvent>;
  /** Of the agent, by number. */
  readonly life: ReadonlyMap<number, AgentMoment>;
  readonly state?: EventsState | undefined;
  readonly connection?: Connection | undefined;
  /** Why they cannot be shown, or only as they were. */
  readonly problem?: Problem | undefined;
  readonly position?: ViewPosition | undefined;
}

/** Nothing is known. */
export const NO_EVENTS: EventsContent = { events: new Map(), life: new Map() };

/** The content after a message of the stream. A viewer who may not see the events any more has none. */
export function eventsAfter(before: EventsContent, message: WatchEventsResponse): EventsContent {
  const { problem, reset, upserted, removed, life, removedLife, position, state, connection } = message;
  if (problem !== undefined) return { ...(problem.kind === ProblemKind.UNAVAILABLE ? before : NO_EVENTS), problem };
  const facts = {
    state: state ?? before.state,
    connection: connection ?? before.connection,
    position: position ?? before.position,
    problem: undefined,
  };
  if (!reset && upserted.length + removed.length + life.length + removedLife.length === 0) return { ...before, ...facts };
  const events = new Map(reset ? [] : before.events);
  for (const id of removed) events.delete(id);
  for (const event of upserted) events.set(event.id, event);
  const moments = new Map(reset ? [] : before.life);
  for (const number of removedLife) moments.delete(number);
  for (const moment of life) moments.set(moment.number, moment);
  return { events, life: moments, ...facts };
}

/** All of a picture in one message. */
export function eventsMessage({ events, life, state, connection, problem, position }: EventsContent): WatchEventsResponse {
  return create(WatchEventsResponseSchema, {
    reset: true,
    upserted: [...events.values()],
    life: [...life.values()],
    ...(state && { state }),
    ...(connection && { connection }),
    ...(problem && { problem }),
    ...(position && { position }),
  });
}
