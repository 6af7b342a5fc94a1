import type { Catalogue } from "../catalogue.ts";

/** What health says of any kind, and of containers. */
export const VERDICT = {
  "health/rule-failed": "The health rule failed: {error}",
  "health/unknown-error": "unknown error",
  "health/not-observed": "Waiting for the controller to see generation {generation}; it has seen {observed}",
  "health/phase-not-known": "The phase {phase} is not known",
  "health/terminating": "Pending deletion[; waits for {count:one=finalizer|other=finalizers} {finalizers}]",
  "health/missing": "{kind} {name} does not exist[; referenced by {by}]",
  "health/pods": "Pod {pod}: {said}[ (and {more:one=# more pod|other=# more pods})]",
} as const satisfies Catalogue;
