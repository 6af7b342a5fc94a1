import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A Service of type LoadBalancer that gets no address. */
export const world: MakeFaultWorld = (ago) => {
  const spec = { type: "LoadBalancer", selector: { app: "nothing" }, ports: [{ port: 80 }] };
  const objects = [made(ago, ["v1", "Service", "load-balancer"], { spec, status: { loadBalancer: {} } })];
  return {
    fault: "A Service of type LoadBalancer that gets no address",
    embedded: "scripted",
    objects,
    says: {
      of: "Service load-balancer",
      place: "issue",
      cause: ["No load balancer has given"],
      next: ["load balancer controller"],
      since: ago(60),
      // That no pod is behind it is another.
      issues: 2,
    },
  };
};
