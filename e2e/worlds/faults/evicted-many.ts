import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, ownedBy, podOf, podSpec, ready } from "../made.ts";

/** Pods were evicted one after the other, and lie there though another serves in their place. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "evicted-many", { pods: [ready(ago(10))], ready: 1 });
  const set = ofKind(objects, "ReplicaSet");
  const message = "The node was low on resource: memory.";
  for (const [index, minutes] of [44, 33, 22].entries()) {
    const end = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message, lastTransitionTime: ago(minutes) };
    const status = { phase: "Failed", reason: "Evicted", message, conditions: [end] };
    const facts = { node: "bench-1", spec: podSpec(), labels: { app: "evicted-many" }, ...status };
    objects.push(ownedBy(set, podOf(ago, `evicted-many-${index}`, facts)));
  }
  return {
    fault: "Pods were evicted one after the other, and lie there though another serves in their place",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment evicted-many",
      place: "not-counted",
      cause: ["has replaced 3 pods that ended (Evicted)"],
      next: ["--field-selector status.phase=Failed -l app=evicted-many"],
      since: ago(44),
    },
  };
};
