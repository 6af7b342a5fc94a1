import type { ResourceKind } from "./resource-kind.ts";

/** What a URL needs of a kind. */
export type KindPath = Pick<ResourceKind, "group" | "version" | "resource" | "namespaced">;

/** Query of a list. */
export interface ListQuery {
  /** Empty or absent: all namespaces. */
  readonly namespace?: string;
  readonly limit?: number;
  readonly continueToken?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
}

/** Query of a watch. */
export interface WatchQuery {
  /** Empty or absent: all namespaces. */
  readonly namespace?: string;
  readonly resourceVersion: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds?: number;
}

/** Plain JSON. */
export const ACCEPT_JSON = "application/json";

/** A list with only the metadata of its items. */
export const ACCEPT_METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** One object, or a watch, with metadata only. */
export const ACCEPT_METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Aggregated discovery of `/api` and `/apis`, and plain JSON for servers older than 1.26. */
export const ACCEPT_DISCOVERY =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/** A name that could lead to another path. No request is sent for it. */
export class InvalidPathError extends Error {
  override readonly name = "InvalidPathError";
}

/** Label of RFC 1123: a namespace, a version, a plural. */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Subdomain of RFC 1123: a group. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
/** `pchar` of RFC 3986 without the semicolon, behind which some parsers read parameters: characters that are the same in every encoding. */
const ENCODED = /[^A-Za-z0-9._:@~!$&'()*+,=-]/gu;
/** Longest name of a group. */
const MAX_CHARS = 253;

/** Whether a kind can be requested: its group, version and plural are names as Kubernetes has them. */
export function isAddressable(kind: Pick<KindPath, "group" | "version" | "resource">): boolean {
  return (kind.group === "" || isSubdomain(kind.group)) && LABEL.test(kind.version) && LABEL.test(kind.resource);
}

/**
 * `/api/v1/namespaces/a/pods`, `/apis/apps/v1/deployments`: the collection of a kind, without a query.
 *
 * @throws InvalidPathError for a group, version, plural or namespace that is no name
 */
export function collectionPath(kind: KindPath, namespace = ""): string {
  if (!isAddressable(kind)) throw new InvalidPathError("the group, version or plural of the kind is no name");
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  if (!kind.namespaced || namespace === "") return `${root}/${kind.resource}`;
  if (!LABEL.test(namespace)) throw new InvalidPathError("the namespace is no name");
  return `${root}/namespaces/${namespace}/${kind.resource}`;
}

/** Path of one object, its name percent-encoded; `subresource` without a slash, "log". @throws InvalidPathError */
export function objectPath(kind: KindPath, object: { readonly namespace?: string; readonly name: string }, subresource = ""): string {
  if (!isPathSegmentName(object.name))
    throw new InvalidPathError("the name of the object is empty, a dot segment, or has a slash, a percent sign or invalid Unicode");
  if (subresource !== "" && !LABEL.test(subresource)) throw new InvalidPathError("the subresource is no name");
  const tail = subresource === "" ? "" : `/${subresource}`;
  return `${collectionPath(kind, object.namespace)}/${object.name.replaceAll(ENCODED, encodeURIComponent)}${tail}`;
}

/** Path and query of a list. */
export function listPath(kind: KindPath, query: ListQuery = {}): string {
  return withQuery(collectionPath(kind, query.namespace), {
    limit: query.limit,
    continue: query.continueToken,
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    resourceVersion: query.resourceVersion,
  });
}

/** Path and query of a watch, always with bookmarks. */
export function watchPath(kind: KindPath, query: WatchQuery): string {
  return withQuery(collectionPath(kind, query.namespace), {
    watch: "1",
    allowWatchBookmarks: "true",
    resourceVersion: query.resourceVersion,
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    timeoutSeconds: query.timeoutSeconds,
  });
}

/** Query of a streamed list: what there is, and then what changes. */
export type StreamQuery = Omit<WatchQuery, "resourceVersion">;

/**
 * Path and query of a watch that begins with everything there is as ADDED, closed by a bookmark with `initialEventsEnd`
 * (KEP-3157, Kubernetes 1.27 and later; older servers refuse it with 422).
 */
export function streamPath(kind: KindPath, query: StreamQuery = {}): string {
  return withQuery(collectionPath(kind, query.namespace), {
    watch: "1",
    allowWatchBookmarks: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    timeoutSeconds: query.timeoutSeconds,
  });
}

function isSubdomain(name: string): boolean {
  return name.length <= MAX_CHARS && SUBDOMAIN.test(name);
}

/**
 * Whether the API server takes a text as the name of an object of some kind: `IsValidPathSegmentName` of apimachinery, the only rule for the
 * names of roles and bindings. A proxy between here and there decodes a path and encodes it again (threat T25), which no such name
 * survives as another path, because it has neither a slash nor a percent sign.
 */
export function isPathSegmentName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/%]/.test(name) && name.isWellFormed();
}

function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(key, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
