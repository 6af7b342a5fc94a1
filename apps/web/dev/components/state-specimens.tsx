import { ProblemKind, ProblemSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { ProblemState, ViewFailure } from "../../src/features/environment/problem-state.tsx";
import { DrawerFailure } from "../../src/features/resource-detail/resource-drawer.tsx";
import { FailurePanel } from "../../src/ui/failure-panel.tsx";
import { StatePanel } from "../../src/ui/state-panel.tsx";
import type { Specimen, SpecimenGroup } from "./specimen.ts";
import { fixtureStore, In } from "./specimen-store.tsx";

const nothing = (): void => undefined;

/** The fixture's own refusals, and the environment without resources. */
function problem(name: string): Specimen {
  const { problem: refusal, empty } = fixtureStore(name).view();
  const shown = refusal ?? empty;
  return { title: `problem ${name}`, body: shown === undefined ? null : <ProblemState problem={shown} /> };
}

/** What stands in place of a page, a view or a part of it. */
export const stateSpecimens: SpecimenGroup = {
  title: "States",
  specimens: [
    ...["payments-vault", "docs", "nowhere", "empty"].map(problem),
    {
      title: "problem with a very long sentence",
      body: (
        <ProblemState
          problem={create(ProblemSchema, {
            kind: ProblemKind.UNAVAILABLE,
            words: toWordsMessage(quoted(`${"no-spaces".repeat(200)} end`)),
            details: toWordsMessage(quoted("detail ".repeat(200))),
          })}
        />
      ),
    },
    { title: "first load, agent away", body: <StatePanel icon="off" message="Nothing of this environment has been read yet." /> },
    {
      title: "first load, no answer",
      body: <StatePanel icon="off" message="Binnacle does not answer. Trying again." more="Failed to fetch" />,
    },
    {
      title: "no match",
      body: (
        <StatePanel
          icon="search"
          message="No resource matches. 113 hidden by filters."
          actions={
            <button type="button" className="btn sm primary">
              Clear filters
            </button>
          }
        />
      ),
    },
    { title: "failure of a page", body: <FailurePanel error={new Error("x is undefined")} what="This page" retry={nothing} /> },
    {
      title: "failure with 1 MB of words",
      body: <FailurePanel error={new Error("x".repeat(1_000_000))} what="This page" retry={nothing} />,
    },
    {
      title: "failure of a view",
      body: (
        <In store={fixtureStore("staging")}>
          <ViewFailure error={new Error("x is undefined")} retry={nothing} />
        </In>
      ),
    },
    { title: "failure of the drawer", body: <DrawerFailure error={new Error("x is undefined")} retry={nothing} /> },
  ],
};
