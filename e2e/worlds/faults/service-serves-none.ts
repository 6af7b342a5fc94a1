import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, notReady, ownedBy } from "../made.ts";

/** A Service none of whose endpoints is ready. */
export const world: MakeFaultWorld = (ago) => {
  const since = ago(18);
  const container = { name: "app", ready: false, restartCount: 0, state: { running: { startedAt: since } } };
  const objects = deployment(ago, "serves-none", {
    pods: [{ phase: "Running", conditions: notReady(since), containerStatuses: [container] }],
  });
  const service = made(ago, ["v1", "Service", "service-serves-none"], {
    spec: { type: "ClusterIP", selector: { app: "serves-none" }, ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }] },
    status: { loadBalancer: {} },
  });
  const slice = ownedBy(
    service,
    made(ago, ["discovery.k8s.io/v1", "EndpointSlice", "service-serves-none-x7k2p"], {
      metadata: { labels: { "kubernetes.io/service-name": "service-serves-none" } },
      addressType: "IPv4",
      ports: [{ name: "", port: 8080, protocol: "TCP" }],
      endpoints: [
        {
          addresses: ["10.0.0.8"],
          conditions: { ready: false, serving: false, terminating: false },
          targetRef: { kind: "Pod", namespace: "app", name: "serves-none-7d9f-0", uid: "Pod-serves-none-7d9f-0" },
        },
      ],
    }),
  );
  return {
    fault: "A Service none of whose endpoints is ready",
    objects: [...objects, service, slice],
    says: {
      of: "Service service-serves-none",
      place: "drawer",
      // The Deployment is: the Service follows from it.
      issues: 1,
      cause: ["serves-none-7d9f-0 runs and is not ready"],
      next: ["readiness probe"],
      since,
    },
  };
};
