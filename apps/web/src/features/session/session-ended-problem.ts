import { ProblemKind, ProblemSchema, type Problem } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

/** What the pages say when the session is over. */
export const SESSION_ENDED = "Your session ended. Sign in to continue.";

/** The problem of a stream that was refused for want of a session. */
export function sessionEndedProblem(): Problem {
  return create(ProblemSchema, { kind: ProblemKind.UNAUTHENTICATED, message: SESSION_ENDED });
}
