import { words } from "@binnacle/words";

import { MessageFault } from "./message-fault.ts";

/** The message for a viewer without a session, or whose session has ended. */
export const SESSION_ENDED = words("problem/session-ended");

/** The credential is unknown, or known no longer. */
export function sessionEnded(): MessageFault {
  return new MessageFault("session_ended", SESSION_ENDED);
}
