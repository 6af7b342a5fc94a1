import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, notReady, ofKind, podSpec, warning } from "../made.ts";

/** A readiness probe that asks at the wrong port. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({ readinessProbe: { httpGet: { path: "/healthz", port: 9090 } } });
  const running = { name: "app", ready: false, restartCount: 0, state: { running: { startedAt: ago(30) } } };
  const objects = deployment(ago, "probe-port", {
    spec,
    pods: [{ phase: "Running", conditions: notReady(ago(30)), containerStatuses: [running] }],
  });
  const message = 'Readiness probe failed: Get "http://10.0.0.1:9090/healthz": dial tcp 10.0.0.1:9090: connect: connection refused';
  objects.push(warning(ago, ofKind(objects, "Pod"), ["Unhealthy", message, 29, 1]));
  return {
    fault: "A readiness probe that asks at the wrong port",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment probe-port",
      place: "issue",
      cause: ["readiness probe", "/healthz on port 9090"],
      next: ["9090"],
      since: ago(30),
    },
  };
};
