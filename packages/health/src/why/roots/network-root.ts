import { fieldsAt, listAt, numberAt, textAt } from "@binnacle/kube";
import { textsOf } from "@binnacle/words";

import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { podsOfService, unservedPorts } from "../../endpoints.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import { eventsAbout, warningOf, type World } from "../world.ts";
import { backendRoot, endpointsRoot } from "./backend-root.ts";

/** At most so many ports of pods are named. */
const MAX_NAMED = 5;

const LOAD_BALANCER_FAILURES = new Set([
  "SyncLoadBalancerFailed",
  "CreatingLoadBalancerFailed",
  "UnAvailableLoadBalancer",
  "AllocationFailed",
]);

/** Why a Service sends traffic nowhere, or has no address. */
export function serviceRoot(subject: Subject, world: World): Root {
  const { ref, reason } = subject;
  if (reason === "PortNotFound") return ownRoot(explainTargetPorts(subject, world));
  if (reason === "NoReadyEndpoints")
    return endpointsRoot(subject, world) ?? ownRoot(explanationOf("network", "no-ready-endpoints", { name: ref.name }));
  const failed = warningOf(ref, LOAD_BALANCER_FAILURES, world);
  const facts = { reason, name: ref.name, said: failed?.message };
  if (failed !== undefined) return eventRoot(failed, explanationOf("network", "load-balancer-failed", facts), subject);
  if (subject.status === "Degraded")
    return ownRoot(explanationOf("network", "ports-refused", { ...facts, said: textsOf(subject.message) }));
  const newest = eventsAbout(ref, world).find((event) => event.warning);
  return ownRoot(explanationOf("network", "load-balancer", { ...facts, said: newest?.message }));
}

/** Which names its pods do not know, and which they have. */
function explainTargetPorts({ input, ref }: Subject, world: World): Explanation {
  const related = world.related ?? [];
  const targets = [...new Set(unservedPorts(input.object, related).map(({ target }) => target))];
  const containers = podsOfService(input.object, related).flatMap((pod) => listAt(fieldsAt(pod, "spec"), "containers"));
  const named = containers.flatMap((container) =>
    listAt(container, "ports").map((port) => textAt(port, "name") || String(numberAt(port, "containerPort") ?? "")),
  );
  const ports = [...new Set(named.filter((port) => port !== ""))].sort().slice(0, MAX_NAMED);
  return explanationOf("network", "target-port", {
    name: ref.name,
    count: targets.length,
    targets,
    ports: ports.length === 0 ? undefined : ports,
  });
}

/** Why an Ingress has no address; a backend that is not there comes first. */
export function ingressRoot(subject: Subject, world: World): Root {
  const type = textAt(subject.input.spec, "ingressClassName");
  return (
    backendRoot(subject, world) ??
    ownRoot(explanationOf("network", "ingress-address", { reason: subject.reason, name: subject.ref.name, type }))
  );
}
