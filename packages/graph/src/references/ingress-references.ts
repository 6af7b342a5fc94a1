import { fieldsAt, isFields, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { referenceByName, referenceByToken, roleToken, type Reference } from "../reference.ts";

/** Where the class stood before it had a field. */
const OLD_CLASS = "kubernetes.io/ingress.class";

/** Token of the IngressClasses that are marked as default. */
export const DEFAULT_INGRESS_CLASS = roleToken("default", "networking.k8s.io", "IngressClass");

/** Ingress → Service or other backend, Secret of its certificate, IngressClass. */
export function ingressReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references = [
    ...backend(fieldsAt(spec, "defaultBackend"), "spec.defaultBackend", namespace),
    ...backend(fieldsAt(spec, "backend"), "spec.backend", namespace),
  ];
  for (const [r, rule] of listAt(spec, "rules").entries()) {
    for (const [p, path] of listAt(fieldsAt(rule, "http"), "paths").entries()) {
      references.push(...backend(fieldsAt(path, "backend"), `spec.rules[${r}].http.paths[${p}].backend`, namespace));
    }
  }
  for (const [index, entry] of listAt(spec, "tls").entries()) {
    const name = textAt(entry, "secretName");
    if (name === "") continue;
    references.push(referenceByName("ing-tls", `spec.tls[${index}].secretName`, { key: { group: "", kind: "Secret", namespace, name } }));
  }
  references.push(classReference(object));
  return references;
}

/** By field, else by the old annotation, else the default of the cluster (all of them, if several are marked). */
function classReference(object: KubeObject): Reference {
  const field = textAt(fieldsAt(object, "spec"), "ingressClassName");
  const old = textAt(object.metadata.annotations, OLD_CLASS);
  const name = field || old;
  if (name === "") return referenceByToken("ing-class", "spec.ingressClassName", { token: DEFAULT_INGRESS_CLASS });
  const path = field === "" ? `metadata.annotations[${OLD_CLASS}]` : "spec.ingressClassName";
  const key = { group: "networking.k8s.io", kind: "IngressClass", namespace: "", name };
  return referenceByName("ing-class", path, { key, soft: true });
}

function backend(value: unknown, path: string, namespace: string): Reference[] {
  const service = fieldsAt(value, "service");
  const name = textAt(service, "name");
  if (name !== "") return [toService(`${path}.service.name`, { namespace, name, port: portOf(fieldsAt(service, "port")) })];
  const old = textAt(value, "serviceName");
  const oldPort = isFields(value) ? value["servicePort"] : undefined;
  if (old !== "") return [toService(`${path}.serviceName`, { namespace, name: old, port: isPort(oldPort) ? oldPort : undefined })];
  const resource = isFields(value) ? value["resource"] : undefined;
  const [kind, resourceName] = [textAt(resource, "kind"), textAt(resource, "name")];
  if (kind === "" || resourceName === "") return [];
  const key = { group: textAt(resource, "apiGroup"), kind, namespace, name: resourceName };
  return [referenceByName("ing-res", `${path}.resource`, { key })];
}

interface Backend {
  readonly namespace: string;
  readonly name: string;
  readonly port: string | number | undefined;
}

function toService(path: string, { namespace, name, port }: Backend): Reference {
  const key = { group: "", kind: "Service", namespace, name };
  return referenceByName("ing-svc", path, { key, ...(port === undefined ? {} : { details: { port } }) });
}

function portOf(port: Readonly<Record<string, unknown>>): string | number | undefined {
  const value = port["name"] ?? port["number"];
  return isPort(value) ? value : undefined;
}

function isPort(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
