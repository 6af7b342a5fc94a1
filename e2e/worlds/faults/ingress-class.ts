import type { MakeFaultWorld } from "../fault-world.ts";
import { shopBehind } from "../shop.ts";

/** An Ingress of a class that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const objects = shopBehind(ago, { name: "ingress-class", port: { number: 80 }, className: "nosuch" });
  return {
    fault: "An Ingress of a class that does not exist",
    objects,
    says: { of: "Ingress ingress-class", place: "notice", cause: ["has no address"], next: ["Ask the operator of the ingress controller"] },
  };
};
