import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podOf, podSpec } from "../made.ts";

/** A Job that its podFailurePolicy ends at once. */
export const world: MakeFaultWorld = (ago) => {
  const template = { template: { spec: podSpec({}, { restartPolicy: "Never" }) } };
  const message = "Container app for pod app/job-policy-x7k2p failed with exit code 42 matching FailJob rule at index 0";
  const failed = (type: string) => ({ type, status: "True", reason: "PodFailurePolicy", message, lastTransitionTime: ago(28) });
  const job = made(ago, ["batch/v1", "Job", "job-policy"], {
    spec: {
      ...template,
      podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] },
    },
    status: { startTime: ago(30), failed: 1, conditions: [failed("FailureTarget"), failed("Failed")] },
  });
  const end = { exitCode: 42, reason: "Error", startedAt: ago(29), finishedAt: ago(28) };
  const pod = ownedBy(
    job,
    podOf(ago, "job-policy-x7k2p", {
      spec: podSpec({}, { restartPolicy: "Never" }),
      phase: "Failed",
      containerStatuses: [{ name: "app", ready: false, restartCount: 0, state: { terminated: end } }],
    }),
  );
  return {
    fault: "A Job that its podFailurePolicy ends at once",
    objects: [job, pod],
    says: {
      of: "Job job-policy",
      place: "issue",
      cause: ["ended it at once by rule 0", "exit code 42"],
      next: ["pod job-policy-x7k2p"],
      since: ago(28),
    },
  };
};
