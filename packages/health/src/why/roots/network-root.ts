import { fieldsAt, listAt, numberAt, textAt, textOf, type Fields, fieldsOf } from "@binnacle/kube";
import { textsOf } from "@binnacle/words";

import { refOf } from "../../health-ref.ts";
import type { HealthRef } from "../../health-result.ts";
import type { RuleInput } from "../../verdict.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { podsOfService, unservedPorts, endpointsOf } from "../../endpoints.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import { eventsAbout, warningOf, type World, relatedNamed } from "../world.ts";
import { missingRoot } from "./reference-root.ts";
import { worstOfObjects } from "./worst-of.ts";

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

const ROUTES = /^(?:HTTP|GRPC|TLS|TCP|UDP)Route$/;

/** Traffic of an Ingress or a route ends nowhere: a Service is missing, or has no ready endpoints. */
export function backendRoot(subject: Subject, world: World): Root | null {
  const backends = backendsOf(subject.input);
  const missing = backends.find((backend) => isMissing(backend, world));
  if (missing !== undefined) return missingRoot(missing, subject);
  for (const backend of backends) {
    const service = relatedNamed(backend, world);
    if (service === undefined || explainEndpoints(service, world, "slices") === null) continue;
    const below = world.follow(service, world);
    if (below !== null) return below;
  }
  return null;
}

/** Sentences about backends of an Ingress or a route that no traffic reaches, one for each. */
export function explainBackends(input: RuleInput, world: World): Explanation[] {
  const { kind, namespace, name } = refOf(input.object);
  return backendsOf(input).flatMap((backend) => {
    const facts = { kind, name, namespace: backend.namespace || namespace, backend: backend.name };
    if (isMissing(backend, world)) return [explanationOf("network", "backend-missing", facts)];
    const service = relatedNamed(backend, world);
    if (service === undefined || explainEndpoints(service, world, "slices") === null) return [];
    return [explanationOf("network", "backend-not-ready", facts)];
  });
}

/** Why a Service has no ready endpoints: the worst of its pods, else its own words. `null` when it has some, or it is unknown. */
export function endpointsRoot(service: Subject, world: World): Root | null {
  const explanation = explainEndpoints(service.input.object, world, "anything");
  if (explanation === null) return null;
  const worst = worstOfObjects(podsOfService(service.input.object, world.related ?? []), "Progressing", world);
  return (worst === undefined ? null : world.follow(worst, world)) ?? ownRoot(explanation);
}

/**
 * Words about a Service without ready endpoints.
 *
 * @param evidence "slices": only when its EndpointSlices are there to be counted; "anything": none known means none there
 */
export function explainEndpoints(service: Fields, world: World, evidence: "slices" | "anything"): Explanation | null {
  const spec = fieldsAt(service, "spec");
  if (world.related === undefined || textAt(spec, "type") === "ExternalName") return null;
  const selector = Object.entries(fieldsAt(spec, "selector")).map(([key, value]) => `${key}=${textOf(value)}`);
  const { ready, total, known } = endpointsOf(service, world.related);
  // Without a selector another client manages the endpoints: only existing slices show that none is ready.
  if (ready > 0 || (!known && (evidence === "slices" || selector.length === 0))) return null;
  const facts = { name: refOf(service).name, total, selector: selector.sort().join(", ") };
  return explanationOf("network", total === 0 ? "no-endpoints" : "no-ready-endpoints", facts);
}

function isMissing(backend: HealthRef, world: World): boolean {
  return world.missing.some(({ kind, namespace, name }) => kind === "Service" && namespace === backend.namespace && name === backend.name);
}

/** Services that an Ingress or a route of the Gateway API sends traffic to, each once, by name; empty for other kinds. */
export function backendsOf(input: RuleInput): HealthRef[] {
  const namespace = textAt(input.metadata, "namespace");
  const found = new Map<string, HealthRef>();
  const add = (name: string, of: string) => {
    if (name !== "") found.set(`${of}/${name}`, { group: "", version: "v1", kind: "Service", namespace: of, name });
  };
  if (input.kind === "Ingress" && (input.group === "networking.k8s.io" || input.group === "extensions")) {
    for (const name of ingressBackends(input)) add(name, namespace);
  } else if (input.group === "gateway.networking.k8s.io" && ROUTES.test(input.kind)) {
    for (const rule of listAt(input.spec, "rules")) {
      for (const entry of listAt(rule, "backendRefs")) {
        const backend = fieldsOf(entry);
        const isService = (textAt(backend, "kind") || "Service") === "Service" && textAt(backend, "group") === "";
        // Weight 0 is a backend that is switched off.
        if (isService && backend["weight"] !== 0) add(textAt(backend, "name"), textAt(backend, "namespace") || namespace);
      }
    }
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

function ingressBackends({ spec }: RuleInput): string[] {
  const paths = listAt(spec, "rules").flatMap((rule) => listAt(fieldsAt(rule, "http"), "paths"));
  const backends = [fieldsAt(spec, "defaultBackend"), fieldsAt(spec, "backend"), ...paths.map((path) => fieldsAt(path, "backend"))];
  return backends.map((backend) => textAt(fieldsAt(backend, "service"), "name") || textAt(backend, "serviceName"));
}
