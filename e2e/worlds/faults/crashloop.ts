import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, deployment } from "../made.ts";

/** A container that exits with code 1 again and again. */
export const world: MakeFaultWorld = (ago) => {
  const end = { exitCode: 1, reason: "Error", startedAt: ago(6), finishedAt: ago(5) };
  const objects = deployment(ago, "crashloop", { pods: [crashing(ago(30), end)] });
  return {
    fault: "A container that exits with code 1 again and again",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment crashloop",
      place: "issue",
      cause: ["exited with code 1", "restarted 7 times", "last ended at"],
      next: ["--previous"],
      since: ago(30),
    },
  };
};
