import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";

import type { HealthRef } from "../../health-result.ts";
import type { RuleInput } from "../../verdict.ts";

const ROUTES = /^(?:HTTP|GRPC|TLS|TCP|UDP)Route$/;

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
