import { Fault } from "@binnacle/rpc";

/** What a viewer is told who has no session, or no longer one. */
export const SESSION_ENDED = "Your session ended. Sign in to continue.";

/** The credential is unknown, or known no longer. */
export function sessionEnded(): Fault {
  return new Fault("session_ended", SESSION_ENDED);
}
