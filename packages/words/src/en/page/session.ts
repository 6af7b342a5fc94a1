import type { Catalogue } from "../../catalogue.ts";

/** What `features/session` says, as soon as the page is there. */
export const PAGE_SESSION = {
  "session/binnacle-does-not": "Binnacle does not answer. Try again.",
  "session/groups": "Groups",
  "session/in-the-cluster": "In the cluster",
  "session/main-application-does": "The main application does not accept this token.",
  "session/needs-scopes-read": "It needs the scopes read_api and k8s_proxy.",
  "session/or": "or",
  "session/personal-access-token": "Personal access token",
  "session/sign-in": "Sign in",
  "session/sign-in-binnacle": "Sign in to Binnacle",
  "session/sign-in-with": "Sign in with {application}",
  "session/sign-in-with-token": "Sign in with a token",
  "session/signing-in-failed": "Signing in failed ({status}). Try again.",
  "session/the-main-application": "the main application",
  "session/you": "You",
  "session/you-see-what": "You see what {application} lets you see, and what the cluster lets you see.",
} as const satisfies Catalogue;
