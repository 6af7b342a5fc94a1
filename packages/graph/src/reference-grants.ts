import { groupOf, listAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

/** A reference into another namespace that the owner of that namespace must allow. */
export interface GrantDemand {
  /** Of the object that holds the reference. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly to: ObjectKey;
}

/** What a reference of an object needs: nothing within its namespace, a grant into another. */
export function grantNeeded(object: KubeObject, to: ObjectKey): { readonly grant?: GrantDemand } {
  const namespace = object.metadata.namespace ?? "";
  if (to.namespace === namespace) return {};
  return { grant: { group: groupOf(object.apiVersion), kind: object.kind, namespace, to } };
}

/** Whether the object is a ReferenceGrant of the Gateway API. */
export function isReferenceGrant(object: KubeObject): boolean {
  return object.kind === "ReferenceGrant" && groupOf(object.apiVersion) === "gateway.networking.k8s.io";
}

/** ReferenceGrants by the namespace that they open: what is listed may be referred to, all else may not. */
export class ReferenceGrants {
  readonly #byNamespace = new Map<string, Map<string, KubeObject>>();

  /** Adds a grant, or replaces it. */
  set(id: string, grant: KubeObject): void {
    const namespace = grant.metadata.namespace ?? "";
    const grants = this.#byNamespace.get(namespace);
    if (grants === undefined) this.#byNamespace.set(namespace, new Map([[id, grant]]));
    else grants.set(id, grant);
  }

  /** Forgets a grant. */
  delete(id: string, grant: KubeObject): void {
    const namespace = grant.metadata.namespace ?? "";
    const grants = this.#byNamespace.get(namespace);
    grants?.delete(id);
    if (grants?.size === 0) this.#byNamespace.delete(namespace);
  }

  /** Whether a grant of the target's namespace allows the reference. */
  allows(demand: GrantDemand): boolean {
    for (const grant of this.#byNamespace.get(demand.to.namespace)?.values() ?? []) if (allowedBy(grant, demand)) return true;
    return false;
  }
}

/** A grant opens its namespace to every pair of one `from` and one `to`; a `to` without a name is every object of the kind. */
function allowedBy(grant: KubeObject, { group, kind, namespace, to }: GrantDemand): boolean {
  const spec = grant["spec"];
  const fromMatches = listAt(spec, "from").some(
    (from) => textAt(from, "group") === group && textAt(from, "kind") === kind && textAt(from, "namespace") === namespace,
  );
  if (!fromMatches) return false;
  return listAt(spec, "to").some((target) => {
    const name = textAt(target, "name");
    return textAt(target, "group") === to.group && textAt(target, "kind") === to.kind && (name === "" || name === to.name);
  });
}
