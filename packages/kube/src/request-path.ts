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

/** `/api/v1/namespaces/a/pods`, `/apis/apps/v1/deployments`: the collection of a kind, without a query. */
export function collectionPath(kind: KindPath, namespace = ""): string {
  const root = kind.group === "" ? `/api/${part(kind.version)}` : `/apis/${part(kind.group)}/${part(kind.version)}`;
  const scope = kind.namespaced && namespace !== "" ? `/namespaces/${part(namespace)}` : "";
  return `${root}${scope}/${part(kind.resource)}`;
}

/** Path of one object; `subresource` without a slash, "log". */
export function objectPath(kind: KindPath, object: { readonly namespace?: string; readonly name: string }, subresource = ""): string {
  const tail = subresource === "" ? "" : `/${part(subresource)}`;
  return `${collectionPath(kind, object.namespace)}/${part(object.name)}${tail}`;
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

/** Names cannot hold a slash or a dot alone; encoding keeps a hostile one from walking the path (threat T25). */
function part(name: string): string {
  const encoded = encodeURIComponent(name);
  return encoded === "." || encoded === ".." ? encoded.replaceAll(".", "%2E") : encoded;
}

function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(key, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
