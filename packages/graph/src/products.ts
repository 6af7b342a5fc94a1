import { fieldsAt, groupOf, isFields, textAt, type Fields, type KubeObject, type ObjectKey } from "@binnacle/kube";

/** A field that says where a controller is to write something: writeConnectionSecretToRef, outputSecretName. */
const WRITTEN = /^(?:write|output|publish)([A-Za-z]*)$/;

/** Kinds that are made out of objects of a kind of their own, such as an ExternalSecret; one that pushes reads it. */
const MADE_KINDS = /^(?!Push)[A-Z]\w*?(Secret|ConfigMap)$/;

/** Fields of a spec are looked at so far. */
const MAX_FIELDS = 100;

/**
 * What a custom object makes, by conventions and not by product: a Certificate the Secret that it names, an XSecret a Secret of the name that
 * its target has or else of its own, and whatever stands in a field such as writeConnectionSecretToRef. Built-in kinds are not considered.
 */
export function productsOf(object: KubeObject): readonly ObjectKey[] {
  const group = groupOf(object.apiVersion);
  if (!group.includes(".") || group.endsWith(".k8s.io")) return [];
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const products = writtenIn(spec, namespace);
  const secret = object.kind === "Certificate" && isFields(spec["issuerRef"]) ? textAt(spec, "secretName") : "";
  if (secret !== "") products.push({ group: "", kind: "Secret", namespace, name: secret });
  const [, kind] = MADE_KINDS.exec(object.kind) ?? [];
  if (kind !== undefined) {
    const target = textAt(fieldsAt(spec, "target"), "name") || textAt(fieldsAt(spec, "destination"), "name");
    products.push({ group: "", kind, namespace, name: target || object.metadata.name });
  }
  return products.filter(({ name, namespace: of }) => name !== "" && of !== "");
}

function writtenIn(spec: Fields, own: string): ObjectKey[] {
  return Object.entries(spec)
    .slice(0, MAX_FIELDS)
    .flatMap(([field, value]): ObjectKey[] => {
      const [, what = ""] = WRITTEN.exec(field) ?? [];
      const kind = ["ConfigMap", "Secret"].find((each) => what.includes(each));
      if (kind === undefined) return [];
      if (typeof value === "string") return [{ group: "", kind, namespace: own, name: value }];
      return isFields(value) ? [{ group: "", kind, namespace: textAt(value, "namespace") || own, name: textAt(value, "name") }] : [];
    });
}
