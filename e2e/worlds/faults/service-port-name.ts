import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ownedBy, podSpec, ready } from "../made.ts";

/** A Service that asks its pods for a port by a name that they do not know. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({ ports: [{ name: "web", containerPort: 8080 }] });
  const objects = deployment(ago, "service-port-name-web", { spec, pods: [ready(ago(50))], ready: 1 });
  const service = made(ago, ["v1", "Service", "service-port-name"], {
    spec: {
      type: "ClusterIP",
      selector: { app: "service-port-name-web" },
      ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: "http" }],
    },
    status: { loadBalancer: {} },
  });
  // So the controller writes it: the pod is ready, and has none of the ports.
  const slice = ownedBy(
    service,
    made(ago, ["discovery.k8s.io/v1", "EndpointSlice", "service-port-name-x7k2p"], {
      metadata: { labels: { "kubernetes.io/service-name": "service-port-name" } },
      addressType: "IPv4",
      ports: null,
      endpoints: [
        {
          addresses: ["10.0.0.7"],
          conditions: { ready: true, serving: true, terminating: false },
          targetRef: { kind: "Pod", namespace: "app", name: "service-port-name-web-7d9f-0", uid: "Pod-service-port-name-web-7d9f-0" },
        },
      ],
    }),
  );
  return {
    fault: "A Service that asks its pods for a port by a name that they do not know",
    objects: [...objects, service, slice],
    says: {
      of: "Service service-port-name",
      place: "issue",
      cause: ["No pod behind Service service-port-name has a port called http", "web"],
      next: ["Set targetPort of Service service-port-name"],
    },
  };
};
