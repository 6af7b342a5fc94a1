import { words } from "@binnacle/words";

import { MessageFault } from "./message-fault.ts";

/** What a viewer is told who has no session, or no longer one. */
export const SESSION_ENDED = words("problem/session-ended");

/** The credential is unknown, or known no longer. */
export function sessionEnded(): MessageFault {
  return new MessageFault("session_ended", SESSION_ENDED);
}
