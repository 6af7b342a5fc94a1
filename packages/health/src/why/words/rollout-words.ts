import type { WordTable } from "./words.ts";

/** Rollouts of workloads whose pods say nothing worse. Facts: kind, name, said, reason. */
export const ROLLOUT_WORDS = {
  deadline: {
    reason: "ProgressDeadlineExceeded",
    message: "The rollout of {kind} {name} made no progress within its deadline",
    nextStep: "Look at the newest pods of {kind} {name}; roll back (kubectl rollout undo) if the change is at fault.",
  },
  progress: {
    message: "{kind} {name} is not done yet: {said}",
    nextStep: "Wait for the rollout; if it stays so, look at the newest pods of {kind} {name}.",
  },
  unwell: {
    message: "{kind} {name} is not well: {said}",
    nextStep: "Look at the pods and events of {kind} {name}.",
  },
} as const satisfies WordTable;
