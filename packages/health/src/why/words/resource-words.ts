import type { WordTable } from "./words.ts";

/** Any other resource, by its own words. Facts: kind, name, condition, said, reason. */
export const RESOURCE_WORDS = {
  condition: {
    message: "{kind} {name}: {said}",
    nextStep: "Look at condition {condition} of {kind} {name} and at the log of the controller that writes it.",
  },
  own: {
    message: "{kind} {name}: {said}",
    nextStep: "Look at the status of {kind} {name} and at the log of its controller.",
  },
  "no-status": {
    message: "No controller has written a status for {kind} {name} yet",
    nextStep: "Check that the controller of {kind} is installed and runs.",
  },
  stale: {
    reason: "Stale",
    message: "{kind} {name} has been on its way for more than ten minutes: {said}",
    nextStep: "Find out what {kind} {name} waits for; it does not look as if time alone will end it.",
  },
  restarts: {
    reason: "Restarted",
    message: "{container} is ready again after {count} restarts; the last time it ended with {said}",
    nextStep: "Read the log of its last run ({log}) before it happens again.",
  },
} as const satisfies WordTable;
