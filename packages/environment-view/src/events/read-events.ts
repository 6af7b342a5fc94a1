import type { PublishedTable, TableChange } from "@binnacle/replica";
import { AgentMomentSchema, EnvironmentEventSchema, type AgentMoment, type EnvironmentEvent } from "@binnacle/proto/dashboard";
import { readMessage } from "@binnacle/proto/read-message";

import { readComplete, readConnection, readSources, readTotal } from "../remote/read-entries.ts";
import type { ViewConnection, ViewSource } from "../stream/view-model.ts";

/** What a reader of an events table has missed. */
export interface EventsChange {
  /** The reader drops its previous content. */
  readonly reset: boolean;
  readonly events: readonly EnvironmentEvent[];
  /** Ids. */
  readonly removed: readonly string[];
  /** Of the agent's life. */
  readonly life: readonly AgentMoment[];
  readonly removedLife: readonly number[];
  /** Something of `eventsStateOf` may be another. */
  readonly isState: boolean;
}

/** How well the events of a table are seen. */
export interface EventsTableState {
  readonly isComplete: boolean;
  readonly sources: readonly ViewSource[];
  readonly connection: ViewConnection | undefined;
  /** How many there are. */
  readonly total: number;
}

/** Reads a change of an events table. An entry that cannot be read is removed. */
export function readEvents({ reset, entries, removed }: TableChange): EventsChange {
  const [events, life] = [[] as EnvironmentEvent[], [] as AgentMoment[]];
  const gone = [...removed];
  let isState = reset;
  for (const { key, value } of entries) {
    if (key.startsWith("e/")) {
      const event = readMessage(EnvironmentEventSchema, value);
      // Its key is what it is called by when it leaves.
      if (event?.event === undefined) gone.push(key);
      else events.push({ ...event, id: key.slice(2) });
    } else if (key.startsWith("life/")) {
      const [moment, number] = [readMessage(AgentMomentSchema, value), numberIn(key)];
      if (moment === undefined || number === undefined) gone.push(key);
      else life.push({ ...moment, number });
    } else isState = true;
  }
  return {
    reset,
    events,
    life,
    removed: gone.flatMap((key) => (key.startsWith("e/") ? [key.slice(2)] : [])),
    removedLife: gone.flatMap((key) => (key.startsWith("life/") ? (numberIn(key) ?? []) : [])),
    isState: isState || removed.some((key) => key.startsWith("s/")),
  };
}

/** How well the events of a table are seen now. */
export function eventsStateOf(table: Pick<PublishedTable, "entries" | "get">): EventsTableState {
  return {
    isComplete: readComplete(table),
    sources: readSources(table),
    connection: readConnection(table),
    total: readTotal(table),
  };
}

/** The number of a moment. */
function numberIn(key: string): number | undefined {
  const number = Number(key.slice("life/".length));
  return Number.isInteger(number) && number >= 0 && number < 2 ** 32 ? number : undefined;
}
