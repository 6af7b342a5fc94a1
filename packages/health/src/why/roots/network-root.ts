import { textAt } from "@binnacle/kube";
import { textsOf } from "@binnacle/words";

import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { say } from "../say.ts";
import { eventsAbout, warningOf, type World } from "../world.ts";
import { backendRoot } from "./backend-root.ts";

const LOAD_BALANCER_FAILURES = new Set([
  "SyncLoadBalancerFailed",
  "CreatingLoadBalancerFailed",
  "UnAvailableLoadBalancer",
  "AllocationFailed",
]);

/** Why a Service has no address. */
export function serviceRoot(subject: Subject, world: World): Root {
  const { ref, reason } = subject;
  const failed = warningOf(ref, LOAD_BALANCER_FAILURES, world);
  const facts = { reason, name: ref.name, said: failed?.message };
  if (failed !== undefined) return eventRoot(failed, say("network", "load-balancer-failed", facts), subject);
  if (subject.status === "Degraded") return ownRoot(say("network", "ports-refused", { ...facts, said: textsOf(subject.message) }));
  const newest = eventsAbout(ref, world).find((event) => event.warning);
  return ownRoot(say("network", "load-balancer", { ...facts, said: newest?.message }));
}

/** Why an Ingress has no address; a backend that is not there comes first. */
export function ingressRoot(subject: Subject, world: World): Root {
  const type = textAt(subject.input.spec, "ingressClassName");
  return (
    backendRoot(subject, world) ?? ownRoot(say("network", "ingress-address", { reason: subject.reason, name: subject.ref.name, type }))
  );
}
