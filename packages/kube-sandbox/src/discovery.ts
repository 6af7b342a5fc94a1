import { createHash } from "node:crypto";

import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { ResourceRegistry } from "./resource-registry.ts";

/** The media type of aggregated discovery. */
export const AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** A discovery document and its ETag (with quotes). */
export interface DiscoveryDocument {
  readonly body: string;
  readonly etag: string;
}

/** Builds discovery from the registry, once per change of it. */
export class Discovery {
  readonly #registry: ResourceRegistry;
  readonly #cache = new Map<string, DiscoveryDocument>();
  #cachedGeneration = -1;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** The document at `/api`, `/apis` or below; `undefined` when nothing is served there. */
  document(path: string, aggregated: boolean): DiscoveryDocument | undefined {
    if (this.#cachedGeneration !== this.#registry.generation) {
      this.#cache.clear();
      this.#cachedGeneration = this.#registry.generation;
    }
    const key = `${aggregated} ${path}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const value = aggregated ? this.#aggregated(path) : this.#plain(path);
    if (value === undefined) return undefined;
    const body = JSON.stringify(value);
    const document = { body, etag: `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"` };
    this.#cache.set(key, document);
    return document;
  }

  #groups(core: boolean): Map<string, Map<string, ResourceDefinition[]>> {
    const groups = new Map<string, Map<string, ResourceDefinition[]>>();
    for (const one of this.#registry.all()) {
      if ((one.group === "") !== core) continue;
      const versions = groups.get(one.group) ?? new Map<string, ResourceDefinition[]>();
      groups.set(one.group, versions);
      versions.set(one.version, [...(versions.get(one.version) ?? []), one]);
    }
    return groups;
  }

  #aggregated(path: string): unknown {
    if (path !== "/api" && path !== "/apis") return undefined;
    const items = [...this.#groups(path === "/api")].map(([name, versions]) => ({
      metadata: name === "" ? {} : { name },
      versions: [...versions].map(([version, resources]) => ({
        version,
        resources: resources.map(aggregatedResource),
        freshness: "Current",
      })),
    }));
    return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
  }

  #plain(path: string): unknown {
    if (path === "/api") return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
    if (path === "/apis") {
      return {
        kind: "APIGroupList",
        apiVersion: "v1",
        groups: [...this.#groups(false)].map(([name, versions]) => groupOf(name, [...versions.keys()])),
      };
    }
    const [, prefix, group = "", version] = path.split("/");
    if (prefix === "api") return this.#resources("", group);
    if (prefix !== "apis") return undefined;
    if (version !== undefined) return this.#resources(group, version);
    const versions = this.#groups(false).get(group);
    return versions && { kind: "APIGroup", apiVersion: "v1", ...groupOf(group, [...versions.keys()]) };
  }

  #resources(group: string, version: string): unknown {
    const own = this.#registry.all().filter((one) => one.group === group && one.version === version);
    if (own.length === 0) return undefined;
    return {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: apiVersionOf({ group, version }),
      resources: own.flatMap(plainResources),
    };
  }
}

function groupOf(name: string, versions: readonly string[]): Record<string, unknown> {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

function aggregatedResource(of: ResourceDefinition): Record<string, unknown> {
  const { group, version, kind } = of;
  return {
    resource: of.plural,
    responseKind: { group, version, kind },
    scope: of.namespaced ? "Namespaced" : "Cluster",
    singularResource: of.singular,
    verbs: of.verbs,
    ...(of.shortNames.length > 0 ? { shortNames: of.shortNames } : {}),
    ...(of.categories.length > 0 ? { categories: of.categories } : {}),
    ...(of.subresources.length > 0
      ? {
          subresources: of.subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
            verbs: sub.verbs,
          })),
        }
      : {}),
  };
}

function plainResources(of: ResourceDefinition): Record<string, unknown>[] {
  const own = {
    name: of.plural,
    singularName: of.singular,
    namespaced: of.namespaced,
    kind: of.kind,
    verbs: of.verbs,
    ...(of.shortNames.length > 0 ? { shortNames: of.shortNames } : {}),
    ...(of.categories.length > 0 ? { categories: of.categories } : {}),
  };
  const below = of.subresources.map((sub) => {
    const foreign = sub.group !== of.group || sub.version !== of.version;
    return {
      name: `${of.plural}/${sub.name}`,
      singularName: "",
      namespaced: of.namespaced,
      ...(foreign ? { group: sub.group, version: sub.version } : {}),
      kind: sub.kind,
      verbs: sub.verbs,
    };
  });
  return [own, ...below];
}
