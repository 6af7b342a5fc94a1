import { boundedWords } from "@binnacle/health";
import {
  causeOf,
  fieldsOf,
  numberAt,
  type KubeObject,
  type KubernetesStatus,
  type ObjectList,
  type ResourceKind,
  type WatchEvent,
} from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

/** Much more than a server has to say of a request. */
const QUOTING = { max: 500, oneLine: false } as const;

/** A server may ask for patience, but not for ever. */
const MAX_RETRY_MS = 300_000;

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
  /** The server ends the watch after so many seconds, which is a normal end. Default: when it likes. */
  readonly timeoutSeconds?: number;
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
  /** What is read of the answer at most; beyond it the request is cut and fails as `too_large`. Default: the client's own bound. */
  readonly mostBytes?: number;
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
  /**
   * How far the API server's clock is ahead of this process's, in milliseconds, as far as its answers tell: what it and its controllers write is
   * judged by its time. Absent: not known.
   */
  readonly aheadMs?: number | undefined;
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
   * One object in full, as the API server has it now: views retain only the fields that rules and edges read, so a page that shows an
   * object reads it here.
   */
  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject>;
}

/**
 * Why a request failed.
 * - `api`: the API server answered; `status` says what. The way there is well.
 * - `agent_offline`: kas has no tunnel to the agent.
 * - `busy`: the agent is connected but takes no more requests now.
 * - `no_watch`: the agent carries as many watches as it may; lists are answered.
 * - `unauthorized`: the credential is not accepted.
 * - `timeout`: no answer in time.
 * - `too_large`: more came than is read; the answer was cut. The way there is well.
 * - `kas_unreachable`: kas does not answer at all.
 * - `api_down`: the agent answers that the API server behind it does not.
 * - `connection`: something between broke, or the answer broke off; what is to blame is not known.
 */
export type KubeFailure =
  "api" | "agent_offline" | "busy" | "no_watch" | "unauthorized" | "timeout" | "too_large" | "kas_unreachable" | "api_down" | "connection";

/**
 * How far a request came when it failed, with the words of docs/design/routing.md "The context of a call": `not_started` certainly had no
 * effect; the effect of one that was `started` is unknown; `answered` has a response of the API server.
 */
export type RequestStage = "not_started" | "started" | "answered";

/** An expected failure of a KubeClient. Its message is the English text, for logs. */
export class KubeClientError extends Error {
  override readonly name = "KubeClientError";
  readonly failure: KubeFailure;
  /** What the API server or kas reported; present for `api`. */
  readonly status: KubernetesStatus | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Absent when it is unknown: callers that change something treat that as `started`. */
  readonly stage: RequestStage | undefined;
  readonly #text: Words | string;

  /** @param text a string is text of another program: the API server, or kas */
  constructor(
    failure: KubeFailure,
    text: Words | string,
    options: {
      readonly status?: KubernetesStatus | undefined;
      readonly retryAfterSeconds?: number | undefined;
      /** Default for `api`: answered. */
      readonly stage?: RequestStage | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(typeof text === "string" ? text : renderEnglish(text), options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.#text = text;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.stage = options.stage ?? (failure === "api" ? "answered" : undefined);
  }

  /** Why, for people: bounded and without credentials, so that it may travel. */
  get words(): Words {
    return boundedWords(this.#text, QUOTING);
  }
}

/** Why a request failed, for people, whatever was thrown. */
export function wordsOfFailure(error: unknown): Words {
  return error instanceof KubeClientError ? error.words : words("request/connection-failed");
}

/** HTTP status that the API server answered with; `undefined` when it did not answer. */
export function apiCodeOf(error: unknown): number | undefined {
  return error instanceof KubeClientError && error.failure === "api" ? error.status?.code : undefined;
}

/** The agent carries no more watches. */
export function isWithoutWatch(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "no_watch";
}

/** More came than is read. */
export function isTooLarge(error: unknown): error is KubeClientError {
  return error instanceof KubeClientError && error.failure === "too_large";
}

/** The requested resourceVersion is newer than every version of the API server: it is behind, or its history has gone back. */
export function isAheadOfServer(error: unknown): boolean {
  if (!(error instanceof KubeClientError) || error.failure !== "api" || error.status?.code !== 504) return false;
  return causeOf(error.status) === "ResourceVersionTooLarge" || /too large resource version/i.test(error.message);
}

/** The delay in milliseconds that the server requests by its header or its Status; 0 without either. */
export function retryAfterMsOf(error: unknown): number {
  if (!(error instanceof KubeClientError)) return 0;
  const seconds = error.retryAfterSeconds ?? numberAt(fieldsOf(error.status?.details), "retryAfterSeconds") ?? 0;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), MAX_RETRY_MS) : 0;
}
