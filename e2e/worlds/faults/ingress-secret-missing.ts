import type { MakeFaultWorld } from "../fault-world.ts";
import { shopBehind } from "../shop.ts";

/** An Ingress whose certificate is in a Secret that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  return {
    fault: "An Ingress whose certificate is in a Secret that does not exist",
    embedded: "made",
    objects: shopBehind(ago, { name: "ingress-secret-missing", port: { number: 80 }, secretName: "no-such-secret" }),
    says: {
      of: "Ingress ingress-secret-missing",
      place: "notice",
      cause: ["Secret no-such-secret does not exist"],
      next: ["no-such-secret"],
      issues: 1,
    },
  };
};
