import type { MakeFaultWorld } from "../fault-world.ts";
import { made, nextStep, ownedBy, podOf, podSpec, ready } from "../made.ts";

/** A CronJob whose run does not end, so that the next ones are left out. */
export const world: MakeFaultWorld = (ago) => {
  const template = { template: { spec: podSpec({}, { restartPolicy: "Never" }) } };
  const top = made(ago, ["batch/v1", "CronJob", "cron-job-hangs"], {
    metadata: { creationTimestamp: ago(60) },
    spec: { schedule: "* * * * *", concurrencyPolicy: "Forbid", jobTemplate: { spec: template } },
    status: { lastScheduleTime: ago(26), active: [{ apiVersion: "batch/v1", kind: "Job", namespace: "app", name: "cron-job-hangs-1" }] },
  });
  const job = ownedBy(
    top,
    made(ago, ["batch/v1", "Job", "cron-job-hangs-1"], {
      metadata: { creationTimestamp: ago(26) },
      spec: { backoffLimit: 0, ...template },
      status: { startTime: ago(26), active: 1, ready: 1 },
    }),
  );
  const pod = ownedBy(job, podOf(ago, "cron-job-hangs-1-abcde", { spec: podSpec({}, { restartPolicy: "Never" }), ...ready(ago(26)) }));
  return {
    fault: "A CronJob whose run does not end, so that the next ones are left out",
    objects: [top, job, pod],
    says: {
      of: "CronJob cron-job-hangs",
      place: "issue",
      cause: ["Job cron-job-hangs-1", "has not ended", "runs were skipped"],
      next: ["delete the Job"],
      since: nextStep(ago(26), 1),
    },
  };
};
