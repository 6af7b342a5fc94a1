import {
  ACCEPT_JSON,
  ACCEPT_METADATA,
  ACCEPT_METADATA_LIST,
  apiVersionOf,
  asObjectOf,
  isKubeObject,
  listPath,
  objectPath,
  parseJson,
  parseObjectList,
  streamPath,
  watchPath,
  WatchLineError,
  WatchLineSplitter,
  type KubeObject,
  type ObjectList,
  type ResourceKind,
  type WatchEvent,
  createStatus,
} from "@binnacle/kube";
import { systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { ByteBudget } from "../limits/byte-budget.ts";
import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
  apiCodeOf,
} from "../base/kube-client.ts";
import { ApiDiscovery, type DiscoveryDocument } from "./api-discovery.ts";
import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";
import { pathOf } from "./path-of.ts";
import { readText, type BodyLimits } from "./read-body.ts";
import { sendRequest } from "./send-request.ts";
import { ServerSkew } from "./server-skew.ts";

const MIB = 1024 * 1024;
/** 500 objects of 130 KiB each. */
const MAX_PAGE_BYTES = 64 * MIB;
/** etcd refuses objects beyond 1.5 MiB by default. Also a line of a watch. */
const MAX_OBJECT_BYTES = 16 * MIB;
const MAX_DISCOVERY_BYTES = 16 * MIB;
/** What is being read at a time by all who share nothing else. */
const MAX_READING_BYTES = 256 * MIB;
/** A probe of the connection is answered at once; a later answer means that the server is unreachable. */
const PROOF_ANSWER_SECONDS = 6;
/** A document that is still the known one has no body. */
const MAX_UNCHANGED_BYTES = 64 * 1024;

/** What the API server answers by itself. */
const OWN_DOCUMENTS: ReadonlySet<string> = new Set(["/api", "/apis"]);
const PROOF = { purpose: "proof", answerWithinSeconds: PROOF_ANSWER_SECONDS } as const;

/** A request of one's own, whose answer is JSON. */
export interface JsonRequest {
  /** Path and query. */
  readonly path: string;
  /** Default: plain JSON. */
  readonly accept?: string;
  /** Sent as a POST. */
  readonly body?: unknown;
  /** The response must not come from a cache of the program that checks the rights. */
  readonly proof?: boolean;
  /** Default: 16 MiB, as for one object. */
  readonly mostBytes?: number;
}

/** What a client works with beside its transport. */
export interface HttpKubeClientOptions {
  readonly clock?: Clock;
  /** Shared by all clients of this process: bytes that have arrived and are not parsed yet. Default: 256 MiB of its own. */
  readonly reading?: ByteBudget;
}

interface EventsRequest extends KindStreamRequest {
  /** Present when the server may refuse the initial events. */
  readonly refusals?: StreamRefusals;
}

/**
 * The Kubernetes API over HTTP: discovery with its fallback, lists, watches, streamed lists, single objects. A cluster is not
 * trusted: every answer has a limit, 64 MiB for a page of a list, 16 MiB for an object, a line of a watch or a document of
 * discovery, 1 MiB for a refusal; beyond it the request is cut and fails as `too_large`.
 */
export class HttpKubeClient implements KubeClient {
  readonly #transport: KubeTransport;
  readonly #discovery: ApiDiscovery;
  readonly #refusals = new StreamRefusals();
  readonly #clock: Clock;
  readonly #reading: ByteBudget;
  readonly #skew: ServerSkew;

  constructor(transport: KubeTransport, options: HttpKubeClientOptions = {}) {
    this.#transport = transport;
    this.#clock = options.clock ?? systemClock;
    this.#reading = (options.reading ?? new ByteBudget(MAX_READING_BYTES)).part();
    this.#skew = new ServerSkew(this.#clock);
    this.#discovery = new ApiDiscovery({
      clock: this.#clock,
      fetch: (ask, signal) => this.#document(ask, signal),
    });
  }

  get aheadMs(): number | undefined {
    return this.#skew.aheadMs;
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#discovery.discover(etag, signal);
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const { kind, namespace, limit, continueToken, metadataOnly } = request;
    const path = pathOf(() => listPath(kind, { namespace, limit, ...(continueToken === undefined ? {} : { continueToken }) }));
    const accept = metadataOnly ? `${ACCEPT_METADATA_LIST},${ACCEPT_JSON}` : ACCEPT_JSON;
    const value = await this.json({ path, accept, mostBytes: MAX_PAGE_BYTES }, signal);
    const list = parseObjectList(value, kind);
    if (!list) throw new KubeClientError("connection", words("answer/no-list", { path }));
    return list;
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { kind, namespace, resourceVersion, timeoutSeconds = 0 } = request;
    const query = { namespace, resourceVersion, ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}) };
    return this.#events(() => watchPath(kind, query), request, signal);
  }

  stream(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { kind, namespace, timeoutSeconds = 0 } = request;
    const ask = { ...request, refusals: this.#refusals };
    const query = { namespace, ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}) };
    return this.#events(() => streamPath(kind, query), ask, signal);
  }

  async *#events(path: () => string, request: EventsRequest, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const { kind, metadataOnly, opened, refusals } = request;
    const accept = metadataOnly ? `${ACCEPT_METADATA},${ACCEPT_JSON}` : ACCEPT_JSON;
    refusals?.check(kind.group);
    const response = await this.#send({ method: "GET", path: pathOf(path), accept, purpose: "watch" }, signal).catch((error: unknown) => {
      refusals?.remember(kind.group, error);
      throw error;
    });
    opened?.();
    const lines = new WatchLineSplitter({ maxLineBytes: 2 * MAX_OBJECT_BYTES });
    const held = this.#reading.part(MAX_OBJECT_BYTES);
    const apiVersion = apiVersionOf(kind);
    try {
      for await (const chunk of response.body) {
        for (const event of lines.eventsOf(chunk)) yield asEventOf(kind, apiVersion, event);
        holdLine(held, lines.pendingBytes);
      }
    } catch (error) {
      if (error instanceof KubeClientError) throw error;
      const isLine = error instanceof WatchLineError;
      throw new KubeClientError("connection", words(isLine ? "answer/no-event" : "answer/watch-broken"), { cause: error });
    } finally {
      held.close();
      response.close();
    }
    if (lines.pendingBytes > 0) throw new KubeClientError("connection", words("answer/line-broken"));
  }

  async get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    const path = pathOf(() => objectPath(request.kind, request));
    const value = await this.json({ path, mostBytes: Math.min(MAX_OBJECT_BYTES, request.mostBytes ?? MAX_OBJECT_BYTES) }, signal);
    // The kind in the object counts: a request for a Secret under another name must not show something else.
    const object = isKubeObject(value) ? value : asObjectOf(request.kind, value);
    if (!object) throw new KubeClientError("connection", words("answer/no-object", { path }));
    return object;
  }

  /** A request of one's own, as this identity. @throws KubeClientError */
  async json(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
    const { path, accept = ACCEPT_JSON, body, mostBytes = MAX_OBJECT_BYTES, proof = false } = request;
    const method = body === undefined ? "GET" : "POST";
    const rest = { ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(proof ? PROOF : {}) };
    return (await jsonOf(await this.#send({ method, path, accept, ...rest }, signal), this.#limits(mostBytes))).value;
  }

  async #document(
    ask: { readonly path: string; readonly accept: string; readonly ifNoneMatch?: string },
    signal: AbortSignal,
  ): Promise<DiscoveryDocument> {
    // A group's own document may come from a server behind the API server, which may take its time.
    const patience = OWN_DOCUMENTS.has(ask.path) ? { answerWithinSeconds: PROOF_ANSWER_SECONDS } : {};
    const response = await this.#send({ method: "GET", ...patience, ...ask }, signal);
    if (response.status === 304) {
      // Read to its end, it leaves its connection to the next request.
      await readText(response, this.#limits(MAX_UNCHANGED_BYTES)).catch(() => "");
      return "unchanged";
    }
    return { ...(await jsonOf(response, this.#limits(MAX_DISCOVERY_BYTES))), etag: response.header("etag") };
  }

  async #send(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    const sentAtMs = this.#clock.now();
    const response = await sendRequest({ transport: this.#transport, budget: this.#reading, clock: this.#clock }, request, signal);
    this.#skew.heard(response.header("date"), sentAtMs);
    return response;
  }

  #limits(mostBytes: number): BodyLimits {
    return { mostBytes, budget: this.#reading, clock: this.#clock };
  }
}

/** Accounts for a line that has not ended. @throws KubeClientError `too_large` */
function holdLine(held: ByteBudget, bytes: number): void {
  const more = bytes - held.usedBytes;
  if (more <= 0) held.give(-more);
  else if (!held.take(more)) throw new KubeClientError("too_large", words("answer/line-too-long"));
}

async function jsonOf(response: KubeResponse, limits: BodyLimits): Promise<{ value: unknown; text: string }> {
  const text = await readText(response, limits);
  const value = parseJson(text);
  if (value === undefined) throw new KubeClientError("connection", words("answer/no-json"));
  return { value, text };
}

/** The event about an object of this kind; a metadata watch names another one. */
function asEventOf(kind: ResourceKind, apiVersion: string, event: WatchEvent): WatchEvent {
  if (event.type === "BOOKMARK" || event.type === "ERROR") return event;
  if (event.object.kind === kind.kind && event.object.apiVersion === apiVersion) return event;
  return { type: event.type, object: asObjectOf(kind, event.object) ?? event.object };
}

/**
 * Servers that reject streamed lists, so that each is tried once. A rejection by a group that the API server itself serves holds for the
 * whole server; another group may have a server of its own, older or simpler than that one.
 */
class StreamRefusals {
  readonly #groups = new Map<string, KubeClientError>();
  #server: KubeClientError | undefined;

  /** @throws KubeClientError the refusal that is known already */
  check(group: string): void {
    const known = this.#server ?? this.#groups.get(group);
    if (known) throw known;
  }

  /** Remembers an error that rejects the streamed form of the request; other errors are not its concern. */
  remember(group: string, error: unknown): void {
    const code = apiCodeOf(error);
    if (code !== 400 && code !== 422) return;
    const message = error instanceof Error ? error.message : "";
    // A copy: the rest of the response would be retained as long as the client.
    const refusal = new KubeClientError("api", message, { status: createStatus(code, message) });
    if (isOfServer(group)) this.#server = refusal;
    else this.#groups.set(group, refusal);
  }
}

/** Groups without a dot are Kubernetes' own: core, apps, batch. */
function isOfServer(group: string): boolean {
  return !group.includes(".");
}
