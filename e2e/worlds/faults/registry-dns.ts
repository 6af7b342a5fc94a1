import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** The DNS of the cluster does not answer for the registry. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "registry-dns", {
    spec: podSpec({ image: "registry.dns.example/shop/web:1" }),
    pods: [waiting(ago(25), ["ErrImagePull", "dial tcp: lookup registry.dns.example on 10.96.0.10:53: server misbehaving"])],
  });
  return {
    fault: "The DNS of the cluster does not answer for the registry",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment registry-dns",
      place: "issue",
      cause: ["registry.dns.example"],
      next: ["registry.dns.example"],
      since: ago(25),
    },
  };
};
