import { isFields, itemNames, splitFieldPath } from "@binnacle/kube";
import { parse, stringify } from "yaml";

/**
 * The part of an object that one field is, as YAML that can be put into its manifest: with what names the object and the items of lists on the way.
 *
 * @param text the object as YAML
 * @param field "spec.template.spec.containers[web].image"
 * @returns `undefined` when the object does not have the field
 */
export function keptYaml(text: string, field: string): string | undefined {
  const object: unknown = parse(text);
  if (!isFields(object)) return undefined;
  const part = partAt(object, splitFieldPath(field));
  if (!isFields(part)) return undefined;
  const { apiVersion, kind } = object;
  const { metadata: inMetadata, ...rest } = part;
  const { name, namespace } = isFields(object["metadata"]) ? object["metadata"] : {};
  const metadata = { name, ...(namespace !== undefined && { namespace }), ...(isFields(inMetadata) ? inMetadata : {}) };
  return stringify({ apiVersion, kind, metadata, ...rest });
}

/** What leads to a path and lies there; `undefined` when nothing does. */
function partAt(value: unknown, [name, ...below]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    const { by, names } = itemNames(value);
    const item: unknown = value[names.indexOf(name)];
    const part = partAt(item, below);
    if (part === undefined) return undefined;
    return [isFields(part) && by !== "" ? { [by]: name, ...part } : part];
  }
  if (!isFields(value)) return undefined;
  const part = Object.hasOwn(value, name) ? partAt(value[name], below) : undefined;
  return part === undefined ? undefined : { [name]: part };
}
