import {
  ACCEPT_JSON,
  ACCEPT_METADATA,
  ACCEPT_METADATA_LIST,
  apiVersionOf,
  asObjectOf,
  listPath,
  objectPath,
  parseObjectList,
  streamPath,
  watchPath,
  WatchLineError,
  WatchLineSplitter,
  type KubeObject,
  type ObjectList,
  type ResourceKind,
  type WatchEvent,
} from "@binnacle/kube";
import { systemClock, type Clock } from "@binnacle/rpc";

import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "../kube-client.ts";
import { ApiDiscovery, type DiscoveryDocument } from "./api-discovery.ts";
import { apiFailureOf, parseJson } from "./api-failure.ts";
import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";
import { StreamRefusals } from "./stream-refusals.ts";

/** A request of one's own, whose answer is JSON. */
export interface JsonRequest {
  /** Path and query. */
  readonly path: string;
  /** Default: plain JSON. */
  readonly accept?: string;
  /** Sent as a POST. */
  readonly body?: unknown;
}

interface EventsRequest extends KindStreamRequest {
  /** Present when the server may refuse the initial events. */
  readonly refusals?: StreamRefusals;
}

/** The Kubernetes API over HTTP: discovery with its fallback, lists, watches, streamed lists, single objects. */
export class HttpKubeClient implements KubeClient {
  readonly maxWatches?: number;
  readonly #transport: KubeTransport;
  readonly #discovery: ApiDiscovery;
  readonly #refusals = new StreamRefusals();

  constructor(transport: KubeTransport, options: { readonly clock?: Clock; readonly maxWatches?: number } = {}) {
    this.#transport = transport;
    if (options.maxWatches !== undefined) this.maxWatches = options.maxWatches;
    this.#discovery = new ApiDiscovery({
      clock: options.clock ?? systemClock,
      fetch: (ask, signal) => this.#document(ask, signal),
    });
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#discovery.discover(etag, signal);
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const { kind, namespace, limit, continueToken, metadataOnly } = request;
    const path = listPath(kind, { namespace, limit, ...(continueToken === undefined ? {} : { continueToken }) });
    const value = await this.json({ path, accept: metadataOnly ? `${ACCEPT_METADATA_LIST},${ACCEPT_JSON}` : ACCEPT_JSON }, signal);
    const list = parseObjectList(value, kind);
    if (!list) throw new KubeClientError("connection", `the answer to ${path} is not a list`);
    return list;
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { kind, namespace, resourceVersion } = request;
    return this.#events(watchPath(kind, { namespace, resourceVersion }), request, signal);
  }

  stream(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { kind, namespace } = request;
    const ask = { ...request, refusals: this.#refusals };
    return this.#events(streamPath(kind, { namespace }), ask, signal);
  }

  async *#events(path: string, request: EventsRequest, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const { kind, metadataOnly, opened, refusals } = request;
    const accept = metadataOnly ? `${ACCEPT_METADATA},${ACCEPT_JSON}` : ACCEPT_JSON;
    refusals?.check(kind.group);
    const response = await this.#send({ method: "GET", path, accept }, signal).catch((error: unknown) => {
      refusals?.remember(kind.group, error);
      throw error;
    });
    opened?.();
    const lines = new WatchLineSplitter();
    const apiVersion = apiVersionOf(kind);
    try {
      for await (const chunk of response.body) {
        for (const event of lines.eventsOf(chunk)) yield asEventOf(kind, apiVersion, event);
      }
    } catch (error) {
      const message = error instanceof WatchLineError ? error.message : "the watch broke off";
      throw new KubeClientError("connection", message, { cause: error });
    } finally {
      response.close();
    }
    if (lines.pendingBytes > 0) throw new KubeClientError("connection", "the watch broke off in a line");
  }

  async get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    const path = objectPath(request.kind, request);
    const object = asObjectOf(request.kind, await this.json({ path }, signal));
    if (!object) throw new KubeClientError("connection", `the answer to ${path} is not an object`);
    return object;
  }

  /** A request of one's own, as this identity. @throws KubeClientError */
  async json({ path, accept = ACCEPT_JSON, body }: JsonRequest, signal: AbortSignal): Promise<unknown> {
    const method = body === undefined ? "GET" : "POST";
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await jsonOf(await this.#send({ method, path, accept, ...text }, signal))).value;
  }

  async #document(
    ask: { readonly path: string; readonly accept: string; readonly ifNoneMatch?: string },
    signal: AbortSignal,
  ): Promise<DiscoveryDocument> {
    const response = await this.#send({ method: "GET", ...ask }, signal);
    if (response.status === 304) {
      // Read to its end, it leaves its connection to the next request.
      await response.text().catch(() => "");
      return "unchanged";
    }
    return { ...(await jsonOf(response)), etag: response.header("etag") };
  }

  async #send(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    let response: KubeResponse;
    try {
      response = await this.#transport.request(request, signal);
    } catch (error) {
      if (error instanceof KubeClientError) throw error;
      throw new KubeClientError("connection", "the API server does not answer", { cause: error });
    }
    if (response.status >= 400) throw await apiFailureOf(response);
    return response;
  }
}

async function jsonOf(response: KubeResponse): Promise<{ value: unknown; text: string }> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw new KubeClientError("connection", "the answer broke off", { cause: error });
  }
  const value = parseJson(text);
  if (value === undefined) throw new KubeClientError("connection", "the answer is not JSON");
  return { value, text };
}

/** The event about an object of this kind; a metadata watch names another one. */
function asEventOf(kind: ResourceKind, apiVersion: string, event: WatchEvent): WatchEvent {
  if (event.type === "BOOKMARK" || event.type === "ERROR") return event;
  if (event.object.kind === kind.kind && event.object.apiVersion === apiVersion) return event;
  return { type: event.type, object: asObjectOf(kind, event.object) ?? event.object };
}
