import type { ResourceKind } from "./resource-kind.ts";

/** A group version still to be asked for, in the plain discovery. */
export interface GroupVersion {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
}

/** The path that answers with the resources of a group version. */
export function groupVersionPath({ group, version }: GroupVersion): string {
  return group === "" ? `/api/${encodeURIComponent(version)}` : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
}

/**
 * Kinds of an aggregated discovery document (`/api` or `/apis` asked with ACCEPT_DISCOVERY). Of every resource only the
 * version that the server prefers is kept.
 *
 * @returns `undefined` when the value is not an APIGroupDiscoveryList: ask the plain way
 */
export function parseAggregatedDiscovery(value: unknown): ResourceKind[] | undefined {
  if (!isRecord(value) || value["kind"] !== "APIGroupDiscoveryList") return undefined;
  return list(value["items"]).flatMap((group) => {
    const metadata = group["metadata"];
    const name = isRecord(metadata) ? text(metadata["name"]) : "";
    return preferred(list(group["versions"]).map((version) => aggregatedVersion(name, version)));
  });
}

function aggregatedVersion(group: string, version: Fields): ResourceKind[] {
  return list(version["resources"]).flatMap((resource) => {
    const response = resource["responseKind"];
    const kind = isRecord(response) ? text(response["kind"]) : "";
    if (kind === "") return [];
    return [
      {
        group,
        version: text(version["version"]),
        kind,
        resource: text(resource["resource"]),
        namespaced: resource["scope"] === "Namespaced",
        verbs: strings(resource["verbs"]),
        subresources: list(resource["subresources"]).map((sub) => text(sub["subresource"])),
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
  if (!isRecord(value)) return undefined;
  if (value["kind"] === "APIVersions") return strings(value["versions"]).map((version) => ({ group: "", version }));
  if (value["kind"] !== "APIGroupList") return undefined;
  return list(value["groups"]).flatMap((group) => {
    const best = group["preferredVersion"];
    const first = isRecord(best) ? text(best["version"]) : "";
    const versions = list(group["versions"]).map((version) => text(version["version"]));
    const ordered = [...new Set([first, ...versions])].filter((version) => version !== "");
    return ordered.map((version) => ({ group: text(group["name"]), version }));
  });
}

/**
 * Kinds of a plain APIResourceList; entries with a slash become subresources.
 *
 * @returns `undefined` when the value is not an APIResourceList
 */
export function parseResourceList(value: unknown, served: GroupVersion): ResourceKind[] | undefined {
  if (!isRecord(value) || value["kind"] !== "APIResourceList") return undefined;
  const entries = list(value["resources"]);
  const subresources = new Map<string, string[]>();
  for (const entry of entries) {
    const [resource = "", sub] = text(entry["name"]).split("/");
    if (sub !== undefined) subresources.set(resource, [...(subresources.get(resource) ?? []), sub]);
  }
  return entries
    .filter((entry) => !text(entry["name"]).includes("/"))
    .map((entry) => ({
      group: served.group,
      version: served.version,
      kind: text(entry["kind"]),
      resource: text(entry["name"]),
      namespaced: entry["namespaced"] === true,
      verbs: strings(entry["verbs"]),
      subresources: subresources.get(text(entry["name"])) ?? [],
      shortNames: strings(entry["shortNames"]),
    }));
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

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
