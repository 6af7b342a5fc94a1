import { EventsBoard } from "../../src/features/events/events-board.tsx";
import { eventsAfter, NO_EVENTS } from "../../src/features/live/events-content.ts";
import { ResourceTree } from "../../src/features/resource-graph/tree/resource-tree.tsx";
import { ResourceList } from "../../src/features/resource-list/resource-list.tsx";
import { openingEvents } from "../fixture-events.ts";
import type { SpecimenGroup } from "./specimen.ts";
import { everyState, fixtureStore, In, worldStore } from "./specimen-store.tsx";

const events = (environment: string) => <EventsBoard live={eventsAfter(NO_EVENTS, openingEvents(environment))} />;
const states = worldStore(everyState());
const production = fixtureStore("production");

/** The twins of the graph, and what is reported of it. */
export const listSpecimens: SpecimenGroup = {
  title: "List, tree and events",
  specimens: [
    { title: "list, every state", store: states, view: <ResourceList /> },
    { title: "list, managed resources", store: production, view: <ResourceList /> },
    { title: "tree, every state", store: states, view: <ResourceTree nodes={states.nodes} /> },
    { title: "tree, owners", store: production, view: <ResourceTree nodes={production.nodes} /> },
    { title: "events", store: fixtureStore("production"), view: events("production") },
    { title: "events, a namespace not visible", store: fixtureStore("production"), view: events("events-partial") },
    { title: "events, not visible", store: fixtureStore("production"), view: events("events-forbidden") },
    { title: "events, none", store: fixtureStore("production"), view: events("events-none") },
  ].map(({ title, store, view }) => ({
    title,
    body: (
      <In store={store}>
        <div style={{ height: 480, display: "flex", flexDirection: "column" }}>{view}</div>
      </In>
    ),
  })),
};
