import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { ShownHold } from "./shown-hold.ts";
import type { ViewState } from "./view-state.ts";

/**
 * A view that is held: what is said of the cluster is what it was; what is said of the way there, of the session and of who is looking
 * stays true.
 *
 * @param at the view when the hold began
 */
export function heldView(at: ViewState, live: ViewState, hold: ShownHold): ViewState {
  const { connection, stream, problem, viewer, lastMessageMs, sentAtMs, contentAsOfMs, held } = live;
  return { ...at, connection, stream, problem, viewer, lastMessageMs, sentAtMs, contentAsOfMs, held, hold };
}

/** Whether the view has ended so that nothing of it may be shown, held or not. */
export function endsHold({ problem }: Pick<ViewState, "problem">): boolean {
  return problem !== undefined && problem.kind !== ProblemKind.UNAVAILABLE && problem.kind !== ProblemKind.UNAUTHENTICATED;
}
