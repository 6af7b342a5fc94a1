import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podSpec } from "../made.ts";

/** A CronJob of which every run fails. */
export const world: MakeFaultWorld = (ago) => {
  const top = made(ago, ["batch/v1", "CronJob", "failed-cron-job"], {
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: "Never" }) } } } },
    status: { lastScheduleTime: ago(3) },
  });
  const runs = [9, 6, 3].map((minutes, index) =>
    ownedBy(
      top,
      made(ago, ["batch/v1", "Job", `failed-cron-job-${index + 1}`], {
        metadata: { creationTimestamp: ago(minutes) },
        spec: { backoffLimit: 0, template: { spec: podSpec({}, { restartPolicy: "Never" }) } },
        status: {
          startTime: ago(minutes),
          failed: 1,
          conditions: [
            { type: "FailureTarget", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: ago(minutes - 1) },
            { type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: ago(minutes - 1) },
          ],
        },
      }),
    ),
  );
  const objects = [top, ...runs];
  return {
    fault: "A CronJob of which every run fails",
    embedded: "scripted",
    objects,
    says: {
      of: "CronJob failed-cron-job",
      place: "issue",
      cause: ["Job failed-cron-job-3"],
      chain: ["3 of the last 3 runs failed"],
      next: ["Read the log"],
      since: ago(8),
    },
  };
};
