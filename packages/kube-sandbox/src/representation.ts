import type { ApiObject } from "./api-object.ts";
import { convertTo } from "./version-conversion.ts";
import type { Representation } from "./accept.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";

const TEXTS = new WeakMap<ApiObject, string>();
const METADATA_TEXTS = new WeakMap<ApiObject, string>();

/** JSON of an object in the requested version, `kind` and `apiVersion` first. Stored objects never change, so their text is kept. */
export function objectText(object: ApiObject, of: ResourceDefinition): string {
  const shown = convertTo(object, of);
  const known = TEXTS.get(shown);
  if (known !== undefined) return known;
  const { kind, apiVersion, ...rest } = shown;
  const text = JSON.stringify({ kind, apiVersion, ...rest });
  TEXTS.set(shown, text);
  return text;
}

/** JSON of an object in a list: built-in kinds leave `kind` and `apiVersion` to the list. */
export function itemText(object: ApiObject, of: ResourceDefinition): string {
  const text = objectText(object, of);
  if (of.custom) return text;
  // Whatever comes first in what was sent: `objectText` puts these two before it.
  return `{${text.slice(JSON.stringify({ kind: of.kind, apiVersion: apiVersionOf(of) }).length)}`;
}

/** JSON of the metadata alone. */
export function metadataText(object: ApiObject): string {
  const known = METADATA_TEXTS.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata });
  METADATA_TEXTS.set(object, text);
  return text;
}

/** JSON of one object on its own, as a client wants it (not for tables). */
export function textFor(object: ApiObject, of: ResourceDefinition, representation: Representation): string {
  return representation === "PartialObjectMetadata" ? metadataText(object) : objectText(object, of);
}
