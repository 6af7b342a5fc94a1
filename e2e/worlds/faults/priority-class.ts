import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment, podSpec } from "../made.ts";

/** A PriorityClass that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "priority-class-7d9f-" is forbidden: no PriorityClass with name nosuch was found';
  const spec = podSpec({}, { priorityClassName: "nosuch" });
  const objects = refusedDeployment(ago, "priority-class", { message, minutes: 22, spec });
  return {
    fault: "A PriorityClass that does not exist",
    objects,
    says: {
      of: "Deployment priority-class",
      place: "issue",
      cause: ["PriorityClass nosuch does not exist"],
      next: ["Create PriorityClass nosuch, or correct priorityClassName"],
      since: ago(22),
    },
  };
};
