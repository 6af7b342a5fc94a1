import { InvalidPathError, objectPath, type ResourceKind } from "@binnacle/kube";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";

/** A resource of a name that the API server accepts, and its kind. @throws Fault `invalid_request` for one that is not */
export function namedResource(ref: ResourceRef | undefined): { readonly ref: ResourceRef; readonly kind: ResourceKind } {
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
