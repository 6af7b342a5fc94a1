import { ResourceTree } from "../../src/features/resource-graph/tree/resource-tree.tsx";
import { ResourceList } from "../../src/features/resource-list/resource-list.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import { everyState, fixtureStore, In, worldStore } from "./specimen-store.tsx";

const states = worldStore(everyState());

/** The twins of the graph. */
export const listSpecimens: SpecimenGroup = {
  title: "List and tree",
  specimens: [
    { title: "list, every state", store: states, view: <ResourceList /> },
    { title: "list, managed resources", store: fixtureStore("production"), view: <ResourceList /> },
    { title: "tree, every state", store: states, view: <ResourceTree /> },
    { title: "tree, owners", store: fixtureStore("production"), view: <ResourceTree /> },
  ].map(({ title, store, view }) => ({
    title,
    body: (
      <In store={store}>
        <div style={{ height: 480, display: "flex", flexDirection: "column" }}>{view}</div>
      </In>
    ),
  })),
};
