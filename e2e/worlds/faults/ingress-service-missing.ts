import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** An Ingress to a Service that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const backend = { service: { name: "no-such-service", port: { number: 80 } } };
  const rules = [{ host: "shop.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }];
  const ingress = made(ago, ["networking.k8s.io/v1", "Ingress", "ingress-service-missing"], {
    spec: { rules },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
  const objects = [ingress];
  return {
    fault: "An Ingress to a Service that does not exist",
    embedded: "made",
    objects,
    says: {
      of: "Ingress ingress-service-missing",
      place: "notice",
      cause: ["Service no-such-service", "does not exist"],
      next: ["Create Service no-such-service"],
      issues: 1,
    },
  };
};
