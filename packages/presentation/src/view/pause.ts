import type { Problem } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { ShownPause, ViewState } from "./view-state.ts";

/**
 * A paused view: the state of the cluster stays as it was; connection, session and viewer stay current.
 *
 * @param at the view when the pause began
 */
export function pausedView(at: ViewState, live: ViewState, pause: ShownPause): ViewState {
  const { connection, stream, problem, viewer, lastMessageMs, sentAtMs, contentAsOfMs, stale } = live;
  return { ...at, connection, stream, problem, viewer, lastMessageMs, sentAtMs, contentAsOfMs, stale, pause };
}

/** Whether the server sends nothing more after a problem. */
export function isFinal(problem: Problem | undefined): boolean {
  return problem !== undefined && problem.kind !== ProblemKind.UNAVAILABLE;
}

/** Whether the view has ended so that nothing of it may be shown, paused or not. */
export function endsPause({ problem }: Pick<ViewState, "problem">): boolean {
  return isFinal(problem) && problem?.kind !== ProblemKind.UNAUTHENTICATED;
}
