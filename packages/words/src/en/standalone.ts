import type { Catalogue } from "../catalogue.ts";

/** Signing in with a password, in the HTML of the page. */
export const PASSWORD_SIGN_IN = {
  "standalone/user-name": "User name",
  "standalone/password": "Password",
  "standalone/what-is-visible": "You see what the organization lets you see, and what the cluster lets you see.",
  "standalone/unknown-user": "The user name or the password is not correct.",
} as const satisfies Catalogue;

/** An organization without GitLab: what does not answer, and how one is signed in. */
export const STANDALONE = {
  "standalone/kas-unavailable": "the server that checks passwords does not answer",
  "standalone/signed-in": "You are signed in with a password.",
} as const satisfies Catalogue;
