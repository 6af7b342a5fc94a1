import type { KubeObject, KubernetesStatus, ObjectList, ResourceKind, WatchEvent } from "@binnacle/kube";

/** What is listed. */
export interface KindListRequest {
  readonly kind: ResourceKind;
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly limit: number;
  readonly continueToken?: string;
  /** Only `metadata` of the items. */
  readonly metadataOnly: boolean;
}

/** What is watched, after the given resourceVersion, with bookmarks. */
export interface KindWatchRequest {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly resourceVersion: string;
  readonly metadataOnly: boolean;
  /** Called once, when the server has accepted the watch. */
  readonly opened?: () => void;
}

/** What is listed and then watched in one answer. */
export type KindStreamRequest = Omit<KindWatchRequest, "resourceVersion">;

/** One object. */
export interface ObjectRequest {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
}

/** What a server serves, and the tag to ask again with. */
export interface Discovery {
  readonly kinds: readonly ResourceKind[];
  /** Opaque; equal tags mean equal kinds. Absent when the server gives none. */
  readonly etag?: string;
}

/**
 * The Kubernetes API as one identity. Every method rejects with a KubeClientError for an expected failure and ends soon
 * after `signal` aborts.
 */
export interface KubeClient {
  /** At most this many watches at a time, for an agent with few tunnels; absent: no limit. */
  readonly maxWatches?: number;
  /** All kinds; `undefined` when nothing has changed since `etag`. */
  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined>;
  /** One page. */
  list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList>;
  /** Events until the server ends the watch (a normal end) or it breaks (it throws). */
  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /**
   * Everything there is as ADDED, a BOOKMARK with `initialEventsEnd`, and then what changes, as `watch` (KEP-3157). Absent: no
   * server behind this client can; a server that cannot is a KubeClientError `api` with 400 or 422.
   */
  stream?(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent>;
  /**
   * One object in full, as the API server has it now: views keep only what rules and edges read, so whoever shows an object asks
   * for it here.
   */
  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject>;
}

/**
 * Why a request failed.
 * - `api`: the API server answered; `status` says what. The way there is well.
 * - `agent_offline`: kas has no tunnel to the agent.
 * - `busy`: the agent is connected but takes no more requests now.
 * - `unauthorized`: the credential is not accepted.
 * - `timeout`: no answer in time.
 * - `too_large`: more came than is read; the answer was cut. The way there is well.
 * - `connection`: kas does not answer, or the answer broke off.
 */
export type KubeFailure = "api" | "agent_offline" | "busy" | "unauthorized" | "timeout" | "too_large" | "connection";

/** An expected failure of a KubeClient. */
export class KubeClientError extends Error {
  override readonly name = "KubeClientError";
  readonly failure: KubeFailure;
  /** What the API server or kas said; present for `api`. */
  readonly status: KubernetesStatus | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    failure: KubeFailure,
    message: string,
    options: {
      readonly status?: KubernetesStatus | undefined;
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** HTTP status that the API server answered with; `undefined` when it did not answer. */
export function apiCodeOf(error: unknown): number | undefined {
  return error instanceof KubeClientError && error.failure === "api" ? error.status?.code : undefined;
}
