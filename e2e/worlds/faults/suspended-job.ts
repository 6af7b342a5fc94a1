import type { MakeFaultWorld } from "../fault-world.ts";
import { made, podSpec } from "../made.ts";

/** A Job that a user has suspended. */
export const world: MakeFaultWorld = (ago) => {
  const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended", lastTransitionTime: ago(26) };
  const job = made(ago, ["batch/v1", "Job", "suspended-job"], {
    spec: { suspend: true, template: { spec: podSpec({}, { restartPolicy: "Never" }) } },
    status: { conditions: [suspended] },
  });
  return {
    fault: "A Job that a user has suspended",
    embedded: "scripted",
    objects: [job],
    says: {
      of: "Job suspended-job",
      place: "not-counted",
      cause: ["is paused on purpose"],
      next: ["Resume Job suspended-job"],
      since: ago(26),
    },
  };
};
