import type { Catalogue } from "../catalogue.ts";

/** Signing in with a password, and the title of a page, in the HTML of pages. */
export const PASSWORD_SIGN_IN = {
  "standalone/user-name": "User name",
  "standalone/password": "Password",
  "standalone/what-is-visible": "You see what the organization lets you see, and what the cluster lets you see.",
  "standalone/access-tokens": "Access tokens",
  "standalone/unknown-user": "The user name or the password is not correct.",
} as const satisfies Catalogue;

/**
 * An organization without GitLab: what does not answer, how one is signed in, and personal access tokens. Facts: count, most, name, user.
 */
export const STANDALONE = {
  "standalone/kas-unavailable": "the server that checks passwords does not answer",
  "standalone/tokens-intro": "With a token, kubectl and other Kubernetes clients act as you. A token is shown once, when it is created.",
  "standalone/tokens-none": "You have no access tokens.",
  "standalone/tokens-not-offered": "Access tokens are managed in {name}.",
  "standalone/tokens-of-provider": "You signed in with {name}, so there are no access tokens here: kubectl signs in there itself.",
  "standalone/tokens-not-loaded": "Your access tokens could not be loaded.",
  "standalone/tokens-loading": "Loading access tokens",
  "standalone/token-new": "New token",
  "standalone/token-name-example": "For example: laptop",
  "standalone/token-lifetime": "Expires in",
  "standalone/token-days": "{count, plural, one {1 day} other {{count} days}}",
  "standalone/token-created": "Token {name} was created.",
  "standalone/token-once": "Copy it now: it is not shown again. It works within ten seconds.",
  "standalone/token-paste":
    "Copy it now: it is not shown again. It works once these lines are in the organization's file, in place of the tokens of {user}.",
  "standalone/token-copy": "Copy token",
  "standalone/token-copy-commands": "Copy commands",
  "standalone/token-kubectl": "Set up kubectl",
  "standalone/token-agent": "Cluster of agent",
  "standalone/token-expires": "Expires",
  "standalone/token-never": "Never",
  "standalone/token-expired": "Expired",
  "standalone/token-in-file": "In the organization's file",
  "standalone/token-delete-which": "Delete token {name}",
  "standalone/token-delete-really": "Delete token {name}? Clients that use it stop working within ten seconds.",
  "standalone/token-deleted": "Token {name} was deleted.",
  "standalone/token-failed": "It did not work: {why}",
  "standalone/signed-in": "You are signed in with a password.",
} as const satisfies Catalogue;
