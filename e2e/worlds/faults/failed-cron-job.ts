import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podSpec } from "../made.ts";

/** A CronJob of which every run fails. */
export const world: MakeFaultWorld = (ago) => {
  const top = made(ago, ["batch/v1", "CronJob", "failed-cron-job"], {
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: "Never" }) } } } },
    status: { lastScheduleTime: ago(3) },
  });
  const runs = [9, 6, 3].map((minutes) =>
    ownedBy(
      top,
      made(ago, ["batch/v1", "Job", `failed-cron-job-${minutes}`], {
        metadata: { creationTimestamp: ago(minutes) },
        spec: { backoffLimit: 0 },
        status: {
          failed: 1,
          conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: ago(minutes - 1) }],
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
      cause: ["Job failed-cron-job-3", "3 of the last 3 runs failed"],
      next: ["Read the log"],
      since: ago(8),
    },
  };
};
