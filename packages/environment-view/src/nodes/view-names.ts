import type { GraphNode } from "@binnacle/graph";
import { isCustomGroup, type HealthRef } from "@binnacle/health";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { ResourceRefSchema, type ResourceRef } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

/** The reference of a resource, from any source. */
type Named = Pick<HealthRef, "group" | "version" | "kind" | "namespace" | "name">;

/** The kinds that the cluster serves: how resources are called in URLs, and which of them are custom. */
export class ViewNames {
  readonly #kinds: ReadonlyMap<string, ResourceKind>;
  readonly #definitions: ReadonlyMap<string, KubeObject>;

  constructor(kinds: readonly ResourceKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
    const custom = kinds.filter((kind) => isCustomGroup(kind.group));
    this.#definitions = new Map(custom.map((kind) => [`${kind.group}/${kind.kind}`, syntheticDefinition(kind)]));
  }

  /** @param kind "group/Kind" */
  isServed(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** The name that URLs need; the plural is empty when the kind is not served. */
  ref(of: Named): ResourceRef {
    const kind = this.#kinds.get(`${of.group}/${of.kind}`);
    const { group, namespace, name } = of;
    const served = { version: kind?.version ?? of.version, resource: kind?.resource ?? "" };
    return create(ResourceRefSchema, { group, kind: of.kind, namespace, name, ...served });
  }

  /** The definition of a custom kind, as far as discovery knows it. */
  definitionOf(group: string, kind: string): KubeObject | undefined {
    return this.#definitions.get(`${group}/${kind}`);
  }
}

/** Id of the node that stands for a resource. */
export function nodeIdOf(ref: HealthRef): string {
  return ref.uid ?? `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
}

/** A node as health names it. */
export function healthRefOf(node: GraphNode): HealthRef {
  const { group, version, kind, namespace, name, object } = node;
  const uid = object?.metadata.uid;
  return { group, version, kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
}

/**
 * A minimal CustomResourceDefinition built from discovery, for the rules that ask whether a kind has a status subresource:
 * ordinary roles cannot read the real one.
 */
function syntheticDefinition(kind: ResourceKind): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.resource}.${kind.group}` },
    spec: {
      group: kind.group,
      names: { kind: kind.kind, plural: kind.resource },
      scope: kind.namespaced ? "Namespaced" : "Cluster",
      versions: [
        { name: kind.version, served: true, storage: true, subresources: kind.subresources.includes("status") ? { status: {} } : {} },
      ],
    },
  };
}
