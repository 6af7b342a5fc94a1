import type { Catalogue } from "../catalogue.ts";

/** What health says of any kind, and of containers. */
export const VERDICT = {
  "health/rule-failed": "The health rule failed: {error}",
  "health/unknown-error": "unknown error",
  "health/not-observed": "Waiting for the controller to see generation {generation}; it has seen {observed}",
  "health/phase-not-known": "The phase {phase} is not known",
  "health/terminating":
    "Pending deletion{has_count, select, no {} other {{has_finalizers, select, no {} other {; waits for {count, plural, one {finalizer} other {finalizers}} {finalizers}}}}}",
  "health/missing": "{kind} {name} does not exist{has_by, select, no {} other {; referenced by {by}}}",
  "health/pods": "Pod {pod}: {said}{has_more, select, no {} other { (and {more, plural, one {{more} more pod} other {{more} more pods}})}}",
} as const satisfies Catalogue;
