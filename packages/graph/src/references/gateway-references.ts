import { fieldsAt, isFields, listAt, numberAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { grantNeeded } from "../reference-grants.ts";
import { referenceByName, type Reference } from "../reference.ts";

const GATEWAY_GROUP = "gateway.networking.k8s.io";

/** Gateway → GatewayClass and the Secrets of its listeners. */
export function gatewayReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references: Reference[] = [];
  const className = textAt(spec, "gatewayClassName");
  if (className !== "") {
    const key = { group: GATEWAY_GROUP, kind: "GatewayClass", namespace: "", name: className };
    references.push(referenceByName("gw-class", "spec.gatewayClassName", { key, soft: true }));
  }
  for (const [l, listener] of listAt(spec, "listeners").entries()) {
    for (const [c, certificate] of listAt(fieldsAt(listener, "tls"), "certificateRefs").entries()) {
      const key = keyIn(object, certificate, SECRET);
      if (key === undefined) continue;
      const path = `spec.listeners[${l}].tls.certificateRefs[${c}]`;
      references.push(referenceByName("gw-cert", path, { key, details: grantNeeded(object, key) }));
    }
  }
  return references;
}

/** HTTPRoute and its siblings → parents (Gateway, or a Service in a mesh) and backends, those of mirrors included. */
export function routeReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references: Reference[] = [];
  for (const [index, parent] of listAt(spec, "parentRefs").entries()) {
    const key = keyIn(object, parent, GATEWAY);
    // The Gateway itself states which routes it accepts: no grant is needed.
    if (key !== undefined) references.push(referenceByName("route-gw", `spec.parentRefs[${index}]`, { key }));
  }
  for (const [r, rule] of listAt(spec, "rules").entries()) {
    for (const [b, entry] of listAt(rule, "backendRefs").entries()) {
      const path = `spec.rules[${r}].backendRefs[${b}]`;
      const weight = numberAt(entry, "weight") ?? 1;
      references.push(...backend(object, entry, { path, weight }), ...mirrors(object, entry, path));
    }
    references.push(...mirrors(object, rule, `spec.rules[${r}]`));
  }
  return references;
}

/** Backends that get a copy of the traffic, and so have no share of it. */
function mirrors(object: KubeObject, parent: unknown, path: string): Reference[] {
  return listAt(parent, "filters").flatMap((filter, index) => {
    const mirror = fieldsAt(fieldsAt(filter, "requestMirror"), "backendRef");
    return backend(object, mirror, { path: `${path}.filters[${index}].requestMirror.backendRef` });
  });
}

function backend(object: KubeObject, value: unknown, { path, weight }: { path: string; weight?: number }): Reference[] {
  const key = keyIn(object, value, SERVICE);
  if (key === undefined) return [];
  const port = numberAt(value, "port");
  const details = {
    ...grantNeeded(object, key),
    ...(weight === undefined ? {} : { weight }),
    ...(port === undefined ? {} : { port }),
  };
  return [referenceByName("route-svc", path, { key, details })];
}

const SECRET = { group: "", kind: "Secret" };
const GATEWAY = { group: GATEWAY_GROUP, kind: "Gateway" };
const SERVICE = { group: "", kind: "Service" };

/** A reference of the Gateway API: group, kind and namespace have defaults; an empty group is core, an absent one the default. */
function keyIn(object: KubeObject, value: unknown, defaults: { group: string; kind: string }): ObjectKey | undefined {
  const name = textAt(value, "name");
  if (name === "" || !isFields(value)) return undefined;
  const group = typeof value["group"] === "string" ? value["group"] : defaults.group;
  const namespace = textAt(value, "namespace") || (object.metadata.namespace ?? "");
  return { group, kind: textAt(value, "kind") || defaults.kind, namespace, name };
}
