import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** An init container that fails again and again. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({}, { initContainers: [{ name: "migrate", image: "registry.example/shop/migrate:1" }] });
  const end = { exitCode: 2, reason: "Error", startedAt: ago(6), finishedAt: ago(5) };
  const init = {
    name: "migrate",
    ready: false,
    restartCount: 6,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } },
    lastState: { terminated: end },
  };
  const pod = { ...waiting(ago(28), ["PodInitializing", ""]), initContainerStatuses: [init] };
  const objects = deployment(ago, "init-loop", { spec, pods: [pod] });
  return {
    fault: "An init container that fails again and again",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment init-loop",
      place: "issue",
      cause: ["Init container migrate exited with code 2", "restarted 6 times"],
      next: ["-c migrate --previous"],
      since: ago(28),
    },
  };
};
