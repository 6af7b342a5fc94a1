import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { refOf } from "./health-ref.ts";
import { isKind, isOwnedBy } from "./relatives.ts";

/** Endpoints of a Service. */
export interface Endpoints {
  readonly ready: number;
  readonly total: number;
  /** Whether any EndpointSlice of the Service is known. */
  readonly known: boolean;
}

/** Counts the endpoints of a Service in the EndpointSlices among these objects; a pod in two slices is one. */
export function endpointsOf(service: Fields, related: readonly Fields[]): Endpoints {
  const seen = new Map<string, boolean>();
  const slices = slicesOf(service, related);
  let nameless = 0;
  for (const endpoint of slices.flatMap((slice) => listAt(slice, "endpoints"))) {
    const target = fieldsAt(endpoint, "targetRef");
    const id = textAt(target, "uid") || textAt(target, "name") || `#${(nameless += 1)}`;
    seen.set(id, (seen.get(id) ?? false) || isReady(endpoint));
  }
  return { ready: [...seen.values()].filter(Boolean).length, total: seen.size, known: slices.length > 0 };
}

/** A port of a Service that no ready endpoint has. */
export interface UnservedPort {
  readonly port: number;
  /** The name by which the Service asks pods for it. */
  readonly target: string;
}

/**
 * Ports that a Service asks its pods for by a name that no ready endpoint has: the EndpointSlice controller leaves such a port out. Empty while
 * no endpoint is ready, and for a Service without a selector, whose slices others write.
 */
export function unservedPorts(service: Fields, related: readonly Fields[]): UnservedPort[] {
  const spec = fieldsAt(service, "spec");
  if (Object.keys(fieldsAt(spec, "selector")).length === 0) return [];
  const serving = slicesOf(service, related).filter((slice) => listAt(slice, "endpoints").some(isReady));
  if (serving.length === 0) return [];
  const served = new Set(serving.flatMap((slice) => listAt(slice, "ports").map((port) => textAt(port, "name"))));
  return listAt(spec, "ports").flatMap((port) => {
    const target = textAt(port, "targetPort");
    return target === "" || served.has(textAt(port, "name")) ? [] : [{ port: numberAt(port, "port") ?? 0, target }];
  });
}

/** Absent means ready. */
function isReady(endpoint: unknown): boolean {
  return fieldsAt(endpoint, "conditions")["ready"] !== false;
}

/** EndpointSlices of a Service among these objects: by label or by owner. */
function slicesOf(service: Fields, related: readonly Fields[]): Fields[] {
  const { name, namespace } = refOf(service);
  return related.filter((object) => {
    if (!isKind(object, "discovery.k8s.io", "EndpointSlice") || refOf(object).namespace !== namespace) return false;
    const labels = fieldsAt(fieldsAt(object, "metadata"), "labels");
    return labels["kubernetes.io/service-name"] === name || isOwnedBy(object, service);
  });
}

/** Pods of a Service among these objects: those its slices point at and those its selector matches. */
export function podsOfService(service: Fields, related: readonly Fields[]): Fields[] {
  const { namespace } = refOf(service);
  const targets = slicesOf(service, related).flatMap((slice) =>
    listAt(slice, "endpoints").map((endpoint) => fieldsAt(endpoint, "targetRef")),
  );
  const names = new Set(targets.filter((target) => textAt(target, "kind") === "Pod").map((target) => textAt(target, "name")));
  const selector = Object.entries(fieldsAt(fieldsAt(service, "spec"), "selector"));
  return related.filter((object) => {
    if (!isKind(object, "", "Pod")) return false;
    const ref = refOf(object);
    if (ref.namespace !== namespace) return false;
    const labels = fieldsAt(fieldsAt(object, "metadata"), "labels");
    return names.has(ref.name) || (selector.length > 0 && selector.every(([key, value]) => labels[key] === value));
  });
}
