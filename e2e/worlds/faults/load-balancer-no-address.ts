import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A load balancer whose entry has no address. */
export const world: MakeFaultWorld = (ago) => {
  const spec = { type: "LoadBalancer", selector: { app: "nothing-either" }, ports: [{ port: 80 }] };
  const objects = [made(ago, ["v1", "Service", "load-balancer-no-address"], { spec, status: { loadBalancer: { ingress: [{}] } } })];
  return {
    fault: "A load balancer whose entry has no address",
    objects,
    says: {
      of: "Service load-balancer-no-address",
      place: "issue",
      cause: ["No load balancer has given"],
      next: ["load balancer controller"],
      since: ago(60),
      // That no pod is behind it is another.
      issues: 2,
    },
  };
};
