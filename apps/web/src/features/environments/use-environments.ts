"use client";
import { ProblemKind, type EnvironmentRow, type Problem, type Viewer, type WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { useEffect, useState } from "react";
import { dashboardClient } from "../live/dashboard-client.ts";
import { followStream } from "../live/reconnect.ts";
import { sessionEndedProblem } from "../session/session-ended-problem.ts";
import { nameOf } from "./row-order.ts";

/** What is known of a project's environments. */
export interface EnvironmentsState {
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  readonly complete: boolean;
  readonly viewer?: Viewer | undefined;
  readonly problem?: Problem | undefined;
  /** The stream broke and is being tried again. */
  readonly lost: boolean;
  readonly lastMessageMs: number;
}

const START: EnvironmentsState = { rows: new Map(), complete: false, lost: false, lastMessageMs: 0 };

/** Applies one message. Rows are replaced by name. */
export function applyRows(state: EnvironmentsState, message: WatchEnvironmentsResponse, nowMs: number): EnvironmentsState {
  let rows = state.rows;
  if (message.rows.length + message.removed.length > 0) {
    const next = new Map(rows);
    for (const name of message.removed) next.delete(name);
    for (const row of message.rows) next.set(nameOf(row), row);
    rows = next;
  }
  return {
    rows,
    complete: state.complete || message.complete,
    viewer: message.viewer ?? state.viewer,
    problem: message.problem,
    lost: false,
    lastMessageMs: nowMs,
  };
}

/** Follows the environments of a project while mounted. */
export function useEnvironments(projectPath: string): EnvironmentsState {
  const [state, setState] = useState(START);
  useEffect(() => {
    const abort = new AbortController();
    let fresh = true;
    void followStream(
      {
        open: (signal) => {
          fresh = true;
          return dashboardClient().watchEnvironments({ projectPath }, { signal });
        },
        take: (message) => {
          // The first message of a stream says all there is so far; rows that left meanwhile must not stay.
          const whole = fresh && message.complete;
          fresh = false;
          setState((before) => applyRows(whole ? { ...before, rows: new Map() } : before, message, Date.now()));
          return message.problem === undefined || message.problem.kind === ProblemKind.UNAVAILABLE;
        },
        lost: () => setState((before) => ({ ...before, lost: true })),
        unauthenticated: () => setState((before) => ({ ...before, problem: sessionEndedProblem() })),
      },
      abort.signal,
    ); // settles when aborted, never rejects
    return () => abort.abort();
  }, [projectPath]);
  return state;
}
