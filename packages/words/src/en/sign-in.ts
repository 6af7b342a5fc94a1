import type { Catalogue } from "../catalogue.ts";

/** Messages about signing in by a provider, and about the tokens that come of it. */
export const SIGN_IN = {
  // What streams say while the tokens of a session have ended or do not suffice.
  "problem/sign-in-renewing": "Your sign-in is being renewed. What you see may be out of date.",
  "problem/no-cluster-token":
    "There is no token for clusters in your sign-in. Projects, environments and files work without it. To see clusters, add a token.",
  "request/no-cluster-token": "there is no token for clusters in your sign-in",
  // The sign-in page. Facts: application, provider.
  "sign-in/problem/denied": "{provider} did not sign you in: it was cancelled or refused there.",
  "sign-in/problem/refused": "The answer of {provider} was not valid. Try again; if it stays so, tell your administrator.",
  "sign-in/problem/unavailable": "{provider} does not answer. Try again in a moment.",
  "sign-in/problem/not-begun": "This sign-in was begun in another browser, or more than ten minutes ago. Begin again.",
  "sign-in/problem/not-accepted": "{application} does not accept you with this sign-in.",
  "sign-in/problem/too-many-groups":
    "You are in more than 200 groups at {provider}: Binnacle accepts no more. Ask your administrator to send fewer.",
  "sign-in/problem/too-large":
    "{provider} sends tokens that are too large for a browser. Ask your administrator to send fewer groups or claims.",
  "sign-in/problem/too-often": "Too many attempts to sign in. Try again in a minute.",
  "sign-in/signed-out/here": "You are signed out of Binnacle, and its tokens are revoked. Your session at {provider} itself goes on.",
  "sign-in/signed-out/everywhere": "You are signed out.",
  "sign-in/cluster-token": "Token for clusters",
  "sign-in/cluster-token/why":
    "{application} did not make a token for clusters. Projects, environments and files work without it. To see clusters, paste a personal access token with the scope k8s_proxy.",
  "sign-in/cluster-token/add": "Add a token",
  "sign-in/cluster-token/save": "Use this token",
  "sign-in/cluster-token/failed": "This token could not be saved. Try again.",
  "session/signed-in-by-provider": "You are signed in with {what}.",
  "session/cluster-token-missing": "Clusters need a token",
  "sign-in/cluster-token/back": "Continue without",
} as const satisfies Catalogue;
