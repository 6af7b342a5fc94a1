import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, deployment } from "../made.ts";

/** An entrypoint that is not in the image. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "/opt/shop/payments/bin/docker-entrypoint.sh": stat /opt/shop/payments/bin/docker-entrypoint.sh: no such file or directory: unknown';
  const end = { exitCode: 128, reason: "StartError", message, startedAt: "1970-01-01T00:00:00Z", finishedAt: ago(3) };
  const objects = deployment(ago, "entrypoint-missing", { pods: [crashing(ago(26), end)] });
  return {
    fault: "An entrypoint that is not in the image",
    objects,
    says: {
      of: "Deployment entrypoint-missing",
      place: "issue",
      cause: ["its command is not in the image", "no such file or directory"],
      next: ["Correct command and args"],
      since: ago(26),
    },
  };
};
