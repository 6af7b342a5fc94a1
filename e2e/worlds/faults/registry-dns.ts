import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, waiting } from "../made.ts";

/** The DNS of the cluster does not answer for the registry. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "registry-dns", {
    pods: [waiting(ago(25), ["ErrImagePull", "dial tcp: lookup registry.example on 10.96.0.10:53: server misbehaving"])],
  });
  return {
    fault: "The DNS of the cluster does not answer for the registry",
    embedded: "scripted",
    objects,
    says: { of: "Deployment registry-dns", place: "issue", cause: ["registry.example"], next: ["registry.example"], since: ago(25) },
  };
};
