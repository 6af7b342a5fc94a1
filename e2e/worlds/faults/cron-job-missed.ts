import type { MakeFaultWorld } from "../fault-world.ts";
import { made, nextStep, podSpec } from "../made.ts";

/** A CronJob that has started no run for days. */
export const world: MakeFaultWorld = (ago) => {
  const objects = [
    made(ago, ["batch/v1", "CronJob", "cron-job-missed"], {
      metadata: { creationTimestamp: ago(9_000) },
      spec: {
        schedule: "*/5 * * * *",
        startingDeadlineSeconds: 10,
        jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: "Never" }) } } },
      },
      status: { lastScheduleTime: ago(4_000), lastSuccessfulTime: ago(3_999) },
    }),
  ];
  return {
    fault: "A CronJob that has started no run for days",
    objects,
    says: {
      of: "CronJob cron-job-missed",
      place: "issue",
      cause: ["has started no run since"],
      next: ["startingDeadlineSeconds"],
      since: nextStep(ago(4_000), 5),
    },
  };
};
