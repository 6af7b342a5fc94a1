import { isDeepStrictEqual } from "node:util";

import {
  eventsStateOf,
  readEvents,
  type EventsTable,
  type EventsTableState,
  type ViewConnection,
  type ViewPosition,
} from "@binnacle/environment-view";
import { EventsStateSchema, ViewPositionSchema, WatchEventsResponseSchema, type WatchEventsResponse } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import type { TableReader } from "@binnacle/replica";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import type { ViewerAccess } from "../main-application/main-application.ts";
import { toConnection, toSource } from "../wire/to-proto.ts";
import { ProvenPlace, type ProvenPlaceContext } from "./authorized-place.ts";
import { watchProven, type EnvironmentNames, type ProvenSubscriber, type ProvenStreamContext } from "./authorized-stream.ts";
import type { ProofOutcome, Subscriber } from "../environment/recheck-subscriber.ts";

/** What events are watched with. */
export interface WatchEventsContext extends ProvenStreamContext, ProvenPlaceContext {}

/** Whose stream of the events of which environment. */
interface EventsRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly names: EnvironmentNames;
  /** What the browser has already. */
  readonly after?: ViewPosition | undefined;
}

type Init = Omit<MessageInitShape<typeof WatchEventsResponseSchema>, "$typeName" | "sentAt">;

/** One viewer's events of an environment: what there is, what changes, signs of life. Slow readers get the latest state. */
export function watchEvents(context: WatchEventsContext, request: EventsRequest, signal: AbortSignal): AsyncGenerator<WatchEventsResponse> {
  const { viewerAccess, names } = request;
  let { after } = request;
  const message = (init: Init = {}): WatchEventsResponse =>
    create(WatchEventsResponseSchema, { ...init, sentAt: toTimestamp(context.clock.now()) });
  return watchProven(
    context,
    {
      viewerAccess,
      names,
      toMessage: (problem) => message({ problem }),
      waiting: (subscriber) => ({
        begin: () => [],
        heartbeat: () => message(),
        away: (connection) => message({ connection: toConnection(connection, isNew(subscriber)) }),
      }),
      async *stream(subscriber, inner) {
        const had = after;
        // Meanwhile the browser may have come further.
        after = undefined;
        return yield* streamEvents(context, { ...subscriber, after: had, message }, inner);
      },
    },
    signal,
  );
}

async function* streamEvents(
  context: WatchEventsContext,
  subscriber: ProvenSubscriber & Pick<EventsRequest, "after"> & { readonly message: (init?: Init) => WatchEventsResponse },
  signal: AbortSignal,
): AsyncGenerator<WatchEventsResponse, ProofOutcome | undefined> {
  const { after, message } = subscriber;
  const place = new ProvenPlace(context, subscriber, signal);
  const events = place.membership.openEvents();
  const reader = events.table.open(place.wake.raise, after?.view === events.id ? after.version : undefined);
  const sent = new SentEvents(events, reader, { tellsLife: place.membership.tellsLife, isNew: isNew(subscriber) });
  // Also who has missed nothing waits for a word that he is right.
  place.wake.raise();
  try {
    while (await place.next()) yield message(sent.take());
    return place.outcome;
  } finally {
    reader.close();
    events.close();
    await place.leave();
  }
}

/** What one viewer has received of an events table. */
class SentEvents {
  readonly #events: EventsTable;
  readonly #reader: TableReader;
  readonly #facts: { readonly tellsLife: boolean; readonly isNew: boolean };
  readonly #connection = new Latest<ViewConnection>(undefined);
  readonly #state = new Latest<Omit<EventsTableState, "connection">>(undefined);

  constructor(events: EventsTable, reader: TableReader, facts: { readonly tellsLife: boolean; readonly isNew: boolean }) {
    this.#events = events;
    this.#reader = reader;
    this.#facts = facts;
  }

  /** What he has missed; nothing but the time when there is nothing. */
  take(): Init {
    const taken = this.#reader.take();
    const change = taken && readEvents(taken);
    const state = change?.isState === false ? {} : this.#stateChange();
    const { version } = this.#reader;
    if (change === undefined) return state;
    const { reset, events: upserted, removed, life, removedLife } = change;
    const position = create(ViewPositionSchema, { view: this.#events.id, version: BigInt(version ?? 0) });
    return {
      ...state,
      reset,
      upserted: [...upserted],
      removed: [...removed],
      life: [...life],
      removedLife: [...removedLife],
      position,
    };
  }

  #stateChange(): Pick<Init, "state" | "connection"> {
    const { connection, ...state } = eventsStateOf(this.#events.table);
    this.#connection.put(connection);
    this.#state.put(state);
    const [way, seen] = [this.#connection.take(), this.#state.take()];
    return {
      ...(way && { connection: toConnection(way, this.#facts.isNew) }),
      ...(seen && {
        state: create(EventsStateSchema, {
          complete: seen.isComplete,
          sources: seen.sources.map(toSource),
          total: seen.total,
          tellsLife: this.#facts.tellsLife,
        }),
      }),
    };
  }
}

/** Its agent has never been connected. */
function isNew({ environment }: Pick<Subscriber, "environment">): boolean {
  return environment.agent?.lastSeenAt === undefined;
}

/** A value of which only changes are passed on; `undefined` while there is none. */
class Latest<T> {
  #now: T | undefined;
  #taken: T | undefined;

  /** @param first counts as taken */
  constructor(first: T | undefined) {
    this.#now = first;
    this.#taken = first;
  }

  /** What was taken last. */
  get taken(): T | undefined {
    return this.#taken;
  }

  put(value: T | undefined): void {
    this.#now = value;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): T | undefined {
    if (isDeepStrictEqual(this.#now, this.#taken)) return undefined;
    this.#taken = this.#now;
    return this.#now;
  }
}
