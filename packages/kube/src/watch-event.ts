import { isKubeObject, type KubeObject } from "./kube-object.ts";
import { parseStatus, type KubernetesStatus } from "./kubernetes-status.ts";

/** A change of one object. */
export interface WatchChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

/** Nothing changed up to `resourceVersion`; `initialEventsEnd` closes the first part of a streamed list. */
export interface WatchBookmark {
  readonly type: "BOOKMARK";
  readonly resourceVersion: string;
  readonly initialEventsEnd: boolean;
}

/** The watch ends for this reason; 410 means that its resourceVersion is too old. */
export interface WatchFailure {
  readonly type: "ERROR";
  readonly status: KubernetesStatus;
}

/** One line of a watch. */
export type WatchEvent = WatchChange | WatchBookmark | WatchFailure;

/** Annotation of the bookmark that ends the initial events of a streamed list (KEP-3157). */
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** A decoded watch line as an event; `undefined` for a type or a shape that no API server sends today. */
export function parseWatchEvent(value: unknown): WatchEvent | undefined {
  if (typeof value !== "object" || value === null || !("type" in value) || !("object" in value)) return undefined;
  const { type, object } = value;
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return isKubeObject(object) ? { type, object } : undefined;
    case "BOOKMARK":
      return parseBookmark(object);
    case "ERROR": {
      const status = parseStatus(object);
      return status && { type, status };
    }
    default:
      return undefined;
  }
}

function parseBookmark(object: unknown): WatchBookmark | undefined {
  // The object of a bookmark carries its kind and a resourceVersion, never a name.
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const metadata = object.metadata;
  if (typeof metadata !== "object" || metadata === null || !("resourceVersion" in metadata)) return undefined;
  if (typeof metadata.resourceVersion !== "string") return undefined;
  const annotations: unknown = "annotations" in metadata ? metadata.annotations : undefined;
  const initialEventsEnd =
    typeof annotations === "object" &&
    annotations !== null &&
    INITIAL_EVENTS_END in annotations &&
    annotations[INITIAL_EVENTS_END] === "true";
  return { type: "BOOKMARK", resourceVersion: metadata.resourceVersion, initialEventsEnd };
}
