import { fromBinary } from "@bufbuild/protobuf";
import type { LiveTable, TableChange } from "@binnacle/live-table";
import { AgentMomentSchema, EnvironmentEventSchema, type AgentMoment, type EnvironmentEvent } from "@binnacle/proto/dashboard";

import type { ViewConnection, ViewSource } from "../view-model.ts";

const UTF8 = new TextDecoder();

/** What a reader of an events table has missed. */
export interface EventsChange {
  /** What he had is gone. */
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

/** Reads a change of an events table, whoever has made it. @throws Error when it is none */
export function readEvents({ reset, entries, removed }: TableChange): EventsChange {
  const [events, life] = [[] as EnvironmentEvent[], [] as AgentMoment[]];
  let isState = reset;
  for (const { key, value } of entries) {
    if (key.startsWith("e/")) events.push(fromBinary(EnvironmentEventSchema, value));
    else if (key.startsWith("life/")) life.push(fromBinary(AgentMomentSchema, value));
    else isState = true;
  }
  return {
    reset,
    events,
    life,
    removed: removed.flatMap((key) => (key.startsWith("e/") ? [key.slice(2)] : [])),
    removedLife: removed.flatMap((key) => (key.startsWith("life/") ? [Number(key.slice(5))] : [])),
    isState: isState || removed.some((key) => key.startsWith("s/")),
  };
}

/** How well the events of a table are seen now. @throws Error when it is no such table */
export function eventsStateOf(table: Pick<LiveTable, "entries" | "get">): EventsTableState {
  const told = (key: string): unknown => {
    const value = table.get(key);
    return value === undefined ? undefined : JSON.parse(UTF8.decode(value));
  };
  const sources = table.entries().filter(({ key }) => key.startsWith("s/"));
  const total = told("total");
  return {
    isComplete: told("complete") === true,
    // The same program has written them: both name the same engine.
    sources: sources.map(({ value }) => JSON.parse(UTF8.decode(value)) as ViewSource),
    connection: told("connection") as ViewConnection | undefined,
    total: typeof total === "number" ? total : 0,
  };
}
