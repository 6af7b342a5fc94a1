import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment, podSpec } from "../made.ts";

/** A RuntimeClass that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "runtime-class-7d9f-" is forbidden: pod rejected: RuntimeClass "nosuch" not found';
  const spec = podSpec({}, { runtimeClassName: "nosuch" });
  const objects = refusedDeployment(ago, "runtime-class", { message, minutes: 22, spec });
  return {
    fault: "A RuntimeClass that does not exist",
    objects,
    says: {
      of: "Deployment runtime-class",
      place: "issue",
      cause: ["RuntimeClass nosuch does not exist"],
      next: ["Create RuntimeClass nosuch, or correct runtimeClassName"],
      since: ago(22),
    },
  };
};
