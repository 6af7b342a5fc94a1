"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import type { ReactNode } from "react";
import { said, say } from "../../ui/said.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import type { EnvironmentsState } from "./environments-state.ts";
import { EnvironmentsTable } from "./environments-table.tsx";
import type { KnownRow } from "./index-words.ts";
import type { useHeldOrder } from "./use-held-order.ts";

/** The table of environments, or why there is none. */
export function IndexContent(props: {
  readonly state: EnvironmentsState;
  readonly shown: readonly KnownRow[];
  readonly stale: boolean;
  readonly handlers: ReturnType<typeof useHeldOrder>["handlers"];
  readonly onVisible: (names: readonly string[]) => void;
  readonly onClear: () => void;
}): ReactNode {
  const { state, shown, stale, handlers, onVisible, onClear } = props;
  const problem = state.problem;
  if (problem !== undefined && problem.kind !== ProblemKind.UNAUTHENTICATED && state.rows.size === 0) {
    return (
      <StatePanel
        icon={problem.kind === ProblemKind.NOT_FOUND ? "search" : "off"}
        say={said(problem.words)}
        more={said(problem.details)}
        actions={
          <Link className="btn sm" href="/">
            {say("environments/all-projects")}
          </Link>
        }
        role="alert"
      />
    );
  }
  if (state.rows.size === 0 && state.complete) {
    return <StatePanel icon="search" say={say("environments/project-has-no")} more={say("environments/environment-appears-here")} />;
  }
  if (state.rows.size === 0)
    return <Skeleton rows={5} label={state.lost ? say("environments/binnacle-does-not") : say("environments/loading-environments")} />;
  if (shown.length === 0) {
    return (
      <StatePanel
        icon="search"
        say={say("environments/no-environment-matches", { size: state.rows.size })}
        actions={
          <button type="button" className="btn sm primary" onClick={onClear}>
            {say("environments/clear-filters")}
          </button>
        }
      />
    );
  }
  return <EnvironmentsTable rows={shown} stale={stale} handlers={handlers} onVisible={onVisible} />;
}
