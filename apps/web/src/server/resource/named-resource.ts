import { InvalidPathError, objectPath, type ResourceKind } from "@binnacle/kube";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";

/** A resource of a name that an API server accepts, and its kind. */
export interface NamedResource {
  readonly ref: ResourceRef;
  readonly kind: ResourceKind;
}

/** @throws Fault `invalid_request` for a name that no API server accepts */
export function namedResource(ref: ResourceRef | undefined): NamedResource {
  if (!ref || ref.resource === "" || ref.name === "" || ref.version === "") throw new Fault("invalid_request", "the resource is not named");
  return { ref, kind: kindOf(ref) };
}

function kindOf(ref: ResourceRef): ResourceKind {
  const { group, version, resource, namespace, name } = ref;
  const kind = { group, version, kind: ref.kind, resource, namespaced: namespace !== "", verbs: [], subresources: [], shortNames: [] };
  try {
    objectPath(kind, { namespace, name });
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    throw new Fault("invalid_request", `Binnacle cannot request this resource: ${error.message}.`, { cause: error });
  }
  return kind;
}
