import { fieldsAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

/** Annotation that names what must be there before the object, as cli-utils knows it. */
const DEPENDS_ON = "config.kubernetes.io/depends-on";

/**
 * Reads `group/namespaces/namespace/kind/name, group/kind/name`; the group of core is empty.
 *
 * @returns keys; a text for an entry that is none
 */
export function dependenciesOf(object: KubeObject): readonly (ObjectKey | string)[] {
  const text = textAt(fieldsAt(object.metadata, "annotations"), DEPENDS_ON);
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => parseDependency(entry) ?? entry);
}

function parseDependency(entry: string): ObjectKey | undefined {
  const parts = entry.split("/");
  const [group, scope, namespace, kind, name] = parts.length === 3 ? [parts[0], "namespaces", "", parts[1], parts[2]] : parts;
  if (parts.length !== 3 && parts.length !== 5) return undefined;
  if (group === undefined || namespace === undefined || !kind || !name) return undefined;
  if (scope !== "namespaces" || (parts.length === 5 && namespace === "")) return undefined;
  return { group, kind, namespace, name };
}

/** A key as people read it: `apps/Deployment shop/web`. */
export function nameOf(key: ObjectKey): string {
  const kind = key.group === "" ? key.kind : `${key.group}/${key.kind}`;
  return `${kind} ${key.namespace === "" ? "" : `${key.namespace}/`}${key.name}`;
}
