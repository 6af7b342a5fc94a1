import type { MakeFaultWorld } from "../fault-world.ts";
import { made, podSpec } from "../made.ts";

/** A Job that has run longer than it may. */
export const world: MakeFaultWorld = (ago) => {
  const message = "Job was active longer than specified deadline";
  const failed = (type: string) => ({ type, status: "True", reason: "DeadlineExceeded", message, lastTransitionTime: ago(28) });
  const job = made(ago, ["batch/v1", "Job", "job-deadline"], {
    spec: { activeDeadlineSeconds: 60, template: { spec: podSpec({}, { restartPolicy: "Never" }) } },
    status: { startTime: ago(29), failed: 1, conditions: [failed("FailureTarget"), failed("Failed")] },
  });
  const objects = [job];
  return {
    fault: "A Job that has run longer than it may",
    objects,
    says: {
      of: "Job job-deadline",
      place: "issue",
      cause: ["did not end within its deadline of 60 seconds"],
      next: ["Raise activeDeadlineSeconds"],
      since: ago(28),
    },
  };
};
