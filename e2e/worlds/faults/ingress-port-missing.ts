import type { MakeFaultWorld } from "../fault-world.ts";
import { shopBehind } from "../shop.ts";

/** An Ingress to a port that its Service does not have. */
export const world: MakeFaultWorld = (ago) => {
  return {
    fault: "An Ingress to a port that its Service does not have",
    embedded: "made",
    objects: shopBehind(ago, { name: "ingress-port-missing", port: { name: "web" } }),
    says: {
      of: "Ingress ingress-port-missing",
      place: "issue",
      cause: ["port web of Service shop", "no such port"],
      next: ["Add port web to Service shop"],
    },
  };
};
