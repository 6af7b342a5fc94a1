import type { Problem, Words } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";

/** What the pages say when the session is over. */
export const SESSION_ENDED: Words = { $typeName: "dashboard.v1.Words", id: "problem/session-ended", facts: [] };

/** The problem of a stream that was refused for want of a session. */
export function sessionEndedProblem(): Problem {
  return { $typeName: "dashboard.v1.Problem", kind: ProblemKind.UNAUTHENTICATED, words: SESSION_ENDED, link: "" };
}
