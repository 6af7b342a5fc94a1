import { Summary } from "../../src/features/environment/summary.tsx";
import { StillLoading } from "../../src/features/environment/environment-page.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import { everyState, fixtureStore, In, worldStore } from "./specimen-store.tsx";

/** The summary with its why-list, chains, workloads and endpoints. */
export const summarySpecimens: SpecimenGroup = {
  title: "Summary",
  specimens: [
    { title: "of the mixed world", store: fixtureStore("production") },
    { title: "of one of each state", store: worldStore(everyState()) },
    { title: "offline", store: fixtureStore("offline") },
    { title: "nothing known yet", store: fixtureStore("loading") },
  ].map(({ title, store }) => ({
    title,
    body: (
      <In store={store}>
        <StillLoading />
        <Summary />
      </In>
    ),
  })),
};
