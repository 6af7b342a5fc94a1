import { fieldsAt, listAt, textAt } from "@binnacle/kube";

import { isKind } from "../relatives.ts";
import type { RuleInput } from "../verdict.ts";

/**
 * Whether the kind has a status subresource, by its definition in `related`; `undefined` when nothing is known about
 * related objects at all. A definition that is known not to be there promises no status.
 */
export function hasStatusSubresource(input: RuleInput): boolean | undefined {
  if (input.related === undefined) return undefined;
  const definition = input.related.find((object) => {
    if (!isKind(object, "apiextensions.k8s.io", "CustomResourceDefinition")) return false;
    const spec = fieldsAt(object, "spec");
    return textAt(spec, "group") === input.group && textAt(fieldsAt(spec, "names"), "kind") === input.kind;
  });
  if (definition === undefined) return false;
  const spec = fieldsAt(definition, "spec");
  if (isThere(fieldsAt(spec, "subresources")["status"])) return true;
  const versions = listAt(spec, "versions");
  const version = versions.find((entry) => textAt(entry, "name") === input.version) ?? versions[0];
  return isThere(fieldsAt(version, "subresources")["status"]);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
