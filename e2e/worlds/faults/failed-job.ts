import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podOf, podSpec } from "../made.ts";

/** A Job whose pod exits with code 1. */
export const world: MakeFaultWorld = (ago) => {
  const job = made(ago, ["batch/v1", "Job", "failed-job"], {
    spec: { backoffLimit: 0, template: { spec: podSpec({ name: "job" }, { restartPolicy: "Never" }) } },
    status: {
      startTime: ago(12),
      failed: 1,
      conditions: [
        { type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: ago(9) },
        { type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: ago(9) },
      ],
    },
  });
  const end = {
    name: "job",
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode: 1, reason: "Error", startedAt: ago(11), finishedAt: ago(10) } },
  };
  const spec = podSpec({ name: "job" }, { restartPolicy: "Never" });
  const objects = [job, ownedBy(job, podOf(ago, "failed-job-x", { spec, phase: "Failed", containerStatuses: [end] }))];
  return {
    fault: "A Job whose pod exits with code 1",
    embedded: "scripted",
    objects,
    says: { of: "Job failed-job", place: "issue", cause: ["Container job exited with code 1"], next: ["kubectl logs"], since: ago(10) },
  };
};
