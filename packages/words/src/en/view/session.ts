import type { Catalogue } from "../../catalogue.ts";

/** What `features/session` says, once it is loaded. */
export const VIEW_SESSION = {
  "session/sign-out": "Sign out",
  "session/signing-out-failed": "Signing out failed. Try again.",
  "session/you-signed-in": "You are signed in with {what}; sign out there.",
  "session/you-signed-in-with": "You are signed in with a personal access token.",
} as const satisfies Catalogue;
