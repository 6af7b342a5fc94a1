import type { WordTable } from "./words.ts";

/** Probes. Facts: container, target, said. */
export const PROBE_WORDS = {
  readiness: {
    reason: "ReadinessProbeFailed",
    message: "{container} fails its readiness probe[ ({target})][: {said}]",
    nextStep: "Make {container} answer its readiness probe[ ({target})], or correct the probe in the spec.",
  },
  liveness: {
    reason: "LivenessProbeFailed",
    message: "{container} fails its liveness probe[ ({target})] and is restarted for it[: {said}]",
    nextStep: "Make {container} answer its liveness probe[ ({target})] in time, or give the probe a longer timeout.",
  },
  startup: {
    reason: "StartupProbeFailed",
    message: "{container} fails its startup probe[ ({target})][: {said}]",
    nextStep: "Raise failureThreshold of the startup probe[ ({target})] if {container} needs longer to start, or repair its start.",
  },
  silent: {
    reason: "ReadinessProbePending",
    message: "{container} runs, and its readiness probe[ ({target})] has not succeeded",
    nextStep: "Check in the log of {container} whether it has started, and that its readiness probe[ ({target})] asks the right thing.",
  },
} as const satisfies WordTable;
