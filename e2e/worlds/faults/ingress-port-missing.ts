import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ownedBy, ready } from "../made.ts";

/** An Ingress to a port that its Service does not have. */
export const world: MakeFaultWorld = (ago) => {
  const backend = { service: { name: "shop", port: { name: "web" } } };
  const rules = [{ host: "shop.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }];
  const ingress = made(ago, ["networking.k8s.io/v1", "Ingress", "ingress-port-missing"], {
    spec: { rules },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  const served = deployment(ago, "shop", { pods: [ready(ago(50))], ready: 1 });
  const service = made(ago, ["v1", "Service", "shop"], {
    spec: { type: "ClusterIP", selector: { app: "shop" }, ports: [{ name: "http", port: 80 }] },
    status: {},
  });
  const slice = ownedBy(
    service,
    made(ago, ["discovery.k8s.io/v1", "EndpointSlice", "shop-x"], {
      metadata: { labels: { "kubernetes.io/service-name": "shop" } },
      addressType: "IPv4",
      endpoints: [
        { addresses: ["10.0.0.1"], conditions: { ready: true }, targetRef: { kind: "Pod", name: "shop-7d9f-0", namespace: "app" } },
      ],
    }),
  );
  const objects = [ingress, service, slice, ...served];
  return {
    fault: "An Ingress to a port that its Service does not have",
    embedded: "made",
    objects,
    says: {
      of: "Ingress ingress-port-missing",
      place: "issue",
      cause: ["port web of Service shop", "no such port"],
      next: ["Add port web to Service shop"],
    },
  };
};
