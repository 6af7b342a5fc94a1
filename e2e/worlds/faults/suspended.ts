import type { MakeFaultWorld } from "../fault-world.ts";
import { made, podSpec } from "../made.ts";

/** A CronJob that a user has suspended. */
export const world: MakeFaultWorld = (ago) => {
  const spec = {
    schedule: "0 * * * *",
    suspend: true,
    jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: "OnFailure" }) } } },
  };
  const objects = [made(ago, ["batch/v1", "CronJob", "suspended"], { spec, status: {} })];
  return {
    fault: "A CronJob that a user has suspended",
    embedded: "made",
    objects,
    says: { of: "CronJob suspended", place: "not-counted", cause: ["is paused on purpose"], next: ["Resume CronJob suspended"] },
  };
};
