import { fieldsAt, isFields, listAt, textAt, type KubeObject } from "@binnacle/kube";

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
      const path = `spec.listeners[${l}].tls.certificateRefs[${c}]`;
      references.push(...objectReference(object, certificate, { edge: "gw-cert", path, group: "", kind: "Secret" }));
    }
  }
  return references;
}

/** HTTPRoute and its siblings → parents (Gateway, or a Service in a mesh) and backends. */
export function routeReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const references: Reference[] = [];
  for (const [index, parent] of listAt(spec, "parentRefs").entries()) {
    const path = `spec.parentRefs[${index}]`;
    references.push(...objectReference(object, parent, { edge: "route-gw", path, group: GATEWAY_GROUP, kind: "Gateway" }));
  }
  for (const [r, rule] of listAt(spec, "rules").entries()) {
    for (const [b, entry] of listAt(rule, "backendRefs").entries()) {
      const path = `spec.rules[${r}].backendRefs[${b}]`;
      references.push(...objectReference(object, entry, { edge: "route-svc", path, group: "", kind: "Service" }));
    }
    for (const [f, filter] of listAt(rule, "filters").entries()) {
      const mirror = fieldsAt(fieldsAt(filter, "requestMirror"), "backendRef");
      const path = `spec.rules[${r}].filters[${f}].requestMirror.backendRef`;
      references.push(...objectReference(object, mirror, { edge: "route-svc", path, group: "", kind: "Service" }));
    }
  }
  return references;
}

interface ReferenceDefaults {
  readonly edge: "gw-cert" | "route-gw" | "route-svc";
  readonly path: string;
  readonly group: string;
  readonly kind: string;
}

/** A reference of the Gateway API: group, kind and namespace have defaults; an empty group is core, an absent one the default. */
function objectReference(object: KubeObject, value: unknown, { edge, path, ...defaults }: ReferenceDefaults): Reference[] {
  const name = textAt(value, "name");
  if (name === "" || !isFields(value)) return [];
  const group = typeof value["group"] === "string" ? value["group"] : defaults.group;
  const kind = textAt(value, "kind") || defaults.kind;
  const namespace = textAt(value, "namespace") || (object.metadata.namespace ?? "");
  return [referenceByName(edge, path, { key: { group, kind, namespace, name } })];
}
