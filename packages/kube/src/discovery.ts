import { isFields, textOf, type Fields } from "./loose-json.ts";
import { isAddressable } from "./request-path.ts";
import type { ResourceKind } from "./resource-kind.ts";

/** A group version that is still to be requested, in the unaggregated discovery. */
export interface GroupVersion {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
}

/** The path that answers with the resources of a group version, as `parseGroupVersions` gives them. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/**
 * Kinds of an aggregated discovery document (`/api` or `/apis` requested with ACCEPT_DISCOVERY). Of every resource only the
 * version that the server prefers is kept. Resources whose names cannot be requested are left out, here and in the unaggregated documents.
 *
 * @returns `undefined` when the value is not an APIGroupDiscoveryList: use the unaggregated discovery
 */
export function parseAggregatedDiscovery(value: unknown): ResourceKind[] | undefined {
  if (!isFields(value) || value["kind"] !== "APIGroupDiscoveryList") return undefined;
  return list(value["items"]).flatMap((group) => {
    const metadata = group["metadata"];
    const name = isFields(metadata) ? textOf(metadata["name"]) : "";
    return preferred(list(group["versions"]).map((version) => aggregatedVersion(name, version).filter(isAddressable)));
  });
}

/**
 * Group versions of an aggregated document whose own server does not answer the API server, so that their kinds are not known
 * now: they were not removed.
 */
export function parseStaleGroupVersions(value: unknown): GroupVersion[] {
  if (!isFields(value)) return [];
  return list(value["items"]).flatMap((group) => {
    const metadata = group["metadata"];
    const name = isFields(metadata) ? textOf(metadata["name"]) : "";
    return list(group["versions"])
      .filter((version) => version["freshness"] === "Stale" && list(version["resources"]).length === 0)
      .map((version) => ({ group: name, version: textOf(version["version"]) }));
  });
}

function aggregatedVersion(group: string, version: Fields): ResourceKind[] {
  return list(version["resources"]).flatMap((resource) => {
    const response = resource["responseKind"];
    const kind = isFields(response) ? textOf(response["kind"]) : "";
    if (kind === "") return [];
    return [
      {
        group,
        version: textOf(version["version"]),
        kind,
        resource: textOf(resource["resource"]),
        namespaced: resource["scope"] === "Namespaced",
        verbs: strings(resource["verbs"]),
        subresources: list(resource["subresources"]).map((sub) => textOf(sub["subresource"])),
        shortNames: strings(resource["shortNames"]),
      },
    ];
  });
}

/**
 * Group versions named by a plain `/api` (APIVersions) or `/apis` (APIGroupList) document, preferred version of each group first.
 *
 * @returns `undefined` when the value is neither
 */
export function parseGroupVersions(value: unknown): GroupVersion[] | undefined {
  if (!isFields(value)) return undefined;
  if (value["kind"] === "APIVersions")
    return strings(value["versions"])
      .map((version) => ({ group: "", version }))
      .filter(isServable);
  if (value["kind"] !== "APIGroupList") return undefined;
  return list(value["groups"]).flatMap((group) => {
    const best = group["preferredVersion"];
    const first = isFields(best) ? textOf(best["version"]) : "";
    const versions = list(group["versions"]).map((version) => textOf(version["version"]));
    const ordered = [...new Set([first, ...versions])].filter((version) => version !== "");
    return ordered.map((version) => ({ group: textOf(group["name"]), version })).filter(isServable);
  });
}

/**
 * Kinds of a plain APIResourceList; entries with a slash become subresources.
 *
 * @returns `undefined` when the value is not an APIResourceList
 */
export function parseResourceList(value: unknown, served: GroupVersion): ResourceKind[] | undefined {
  if (!isFields(value) || value["kind"] !== "APIResourceList") return undefined;
  const entries = list(value["resources"]);
  const subresources = new Map<string, string[]>();
  for (const entry of entries) {
    const [resource = "", sub] = textOf(entry["name"]).split("/");
    if (sub !== undefined) subresources.set(resource, [...(subresources.get(resource) ?? []), sub]);
  }
  return entries
    .filter((entry) => !textOf(entry["name"]).includes("/"))
    .map((entry) => ({
      group: served.group,
      version: served.version,
      kind: textOf(entry["kind"]),
      resource: textOf(entry["name"]),
      namespaced: entry["namespaced"] === true,
      verbs: strings(entry["verbs"]),
      subresources: subresources.get(textOf(entry["name"])) ?? [],
      shortNames: strings(entry["shortNames"]),
    }))
    .filter(isAddressable);
}

function isServable(served: GroupVersion): boolean {
  return isAddressable({ ...served, resource: "any" });
}

/** One kind per (group, resource): the first one wins, so pass versions in order of preference. */
export function preferred(versions: readonly (readonly ResourceKind[])[]): ResourceKind[] {
  const first = new Map<string, ResourceKind>();
  for (const kind of versions.flat()) {
    const id = `${kind.group}/${kind.resource}`;
    if (!first.has(id)) first.set(id, kind);
  }
  return [...first.values()];
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
