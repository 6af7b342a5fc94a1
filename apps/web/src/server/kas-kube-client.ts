import { createHash } from "node:crypto";

import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "@binnacle/environment-view";
import {
  ACCEPT_DISCOVERY,
  ACCEPT_JSON,
  ACCEPT_METADATA,
  ACCEPT_METADATA_LIST,
  asObjectOf,
  causeOf,
  createStatus,
  groupVersionPath,
  listPath,
  objectPath,
  parseAggregatedDiscovery,
  parseGroupVersions,
  parseObjectList,
  parseResourceList,
  parseStatus,
  preferred,
  watchPath,
  WatchLineError,
  WatchLineSplitter,
  type KubeObject,
  type ObjectList,
  type ResourceKind,
  type WatchEvent,
} from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";

import { discard, headerOf, type DialResponse, type HttpDialer } from "./http-dialer.ts";
import { isRefusedByKas, parseJson } from "./main-application.ts";

const PLAIN_DISCOVERY_MS = 60_000;

/** What a client works with. */
export interface KasKubeClientOptions {
  readonly dialer: HttpDialer;
  /** Headers of the viewer's credential; with `renew` fresh ones, or `undefined` when there are none. */
  readonly headers: (ask: { renew: boolean; signal: AbortSignal }) => Promise<Record<string, string> | undefined>;
  /** The newest agent configuration is broken (decisions.md §2, `Kas-Agent-Config-Error`); `undefined` when it is not. */
  readonly configurationError: (value: string | undefined) => void;
}

/** One request through the k8s-proxy. */
export interface KasRequest {
  readonly path: string;
  readonly accept?: string;
  readonly ifNoneMatch?: string | undefined;
  /** Sent as a POST. */
  readonly body?: unknown;
}

interface DiscoveredPart {
  readonly etag: string;
  readonly kinds: readonly ResourceKind[];
}

/** The Kubernetes API behind kas's k8s-proxy, as one viewer. */
export class KasKubeClient implements KubeClient {
  readonly #options: KasKubeClientOptions;
  readonly #parts = new Map<string, DiscoveredPart>();
  #plain: { readonly atMs: number; readonly discovery: Discovery } | undefined;

  constructor(options: KasKubeClientOptions) {
    this.#options = options;
  }

  async discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    const [core, groups] = await Promise.all([this.#part("/api", signal), this.#part("/apis", signal)]);
    const discovery =
      core && groups
        ? { kinds: [...core.kinds, ...groups.kinds], etag: `${core.etag} ${groups.etag}` }
        : await this.#plainDiscovery(signal);
    return discovery.etag !== undefined && discovery.etag === etag ? undefined : discovery;
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const { kind, namespace, limit, continueToken, metadataOnly } = request;
    const path = listPath(kind, { namespace, limit, ...(continueToken === undefined ? {} : { continueToken }) });
    const value = await this.json({ path, accept: metadataOnly ? `${ACCEPT_METADATA_LIST},${ACCEPT_JSON}` : ACCEPT_JSON }, signal);
    const list = parseObjectList(value, kind);
    if (!list) throw new KubeClientError("connection", `the answer to ${path} is not a list`);
    return list;
  }

  async *watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { kind, namespace, resourceVersion, metadataOnly, opened } = request;
    const path = watchPath(kind, { namespace, resourceVersion });
    const response = await this.#send({ path, accept: metadataOnly ? `${ACCEPT_METADATA},${ACCEPT_JSON}` : ACCEPT_JSON }, signal);
    opened?.();
    const lines = new WatchLineSplitter();
    try {
      for await (const chunk of response.body) {
        // undici's body yields Buffers as long as no encoding is set.
        for (const event of lines.push(chunk as Buffer)) yield asEventOf(kind, event);
      }
    } catch (error) {
      const message = error instanceof WatchLineError ? error.message : "the watch broke off";
      throw new KubeClientError("connection", message, { cause: error });
    } finally {
      response.body.on("error", () => {});
      response.body.destroy();
    }
    if (lines.pendingBytes > 0) throw new KubeClientError("connection", "the watch broke off in a line");
  }

  async get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    const path = objectPath(request.kind, request);
    const object = asObjectOf(request.kind, await this.json({ path }, signal));
    if (!object) throw new KubeClientError("connection", `the answer to ${path} is not an object`);
    return object;
  }

  /** A request whose answer is JSON. @throws KubeClientError */
  async json(request: KasRequest, signal: AbortSignal): Promise<unknown> {
    return (await this.#jsonOf(await this.#send(request, signal))).value;
  }

  async #part(path: string, signal: AbortSignal): Promise<DiscoveredPart | undefined> {
    const known = this.#parts.get(path);
    const response = await this.#send({ path, accept: ACCEPT_DISCOVERY, ifNoneMatch: known?.etag }, signal);
    if (response.statusCode === 304 && known) {
      discard(response);
      return known;
    }
    const { value, text } = await this.#jsonOf(response);
    const kinds = parseAggregatedDiscovery(value);
    if (!kinds) return undefined;
    const part = { kinds, etag: headerOf(response, "etag") ?? `"${hashOf(text)}"` };
    this.#parts.set(path, part);
    return part;
  }

  /** Servers older than 1.26: one request per group version, at most once a minute. */
  async #plainDiscovery(signal: AbortSignal): Promise<Discovery> {
    if (this.#plain && Date.now() - this.#plain.atMs < PLAIN_DISCOVERY_MS) return this.#plain.discovery;
    const documents = await Promise.all(["/api", "/apis"].map((path) => this.json({ path }, signal)));
    const versions = documents.flatMap((document) => parseGroupVersions(document) ?? []);
    const lists = await Promise.all(
      versions.map(async (served) => {
        try {
          return parseResourceList(await this.json({ path: groupVersionPath(served) }, signal), served) ?? [];
        } catch (error) {
          // An aggregated API whose server is down must not hide the others.
          if (error instanceof KubeClientError && error.failure === "api") return [];
          throw error;
        }
      }),
    );
    const kinds = preferred(lists);
    this.#plain = { atMs: Date.now(), discovery: { kinds, etag: hashOf(JSON.stringify(kinds)) } };
    return this.#plain.discovery;
  }

  async #jsonOf(response: DialResponse): Promise<{ value: unknown; text: string }> {
    let text: string;
    try {
      text = await response.body.text();
    } catch (error) {
      throw new KubeClientError("connection", "the answer broke off", { cause: error });
    }
    const value = parseJson(text);
    if (value === undefined) throw new KubeClientError("connection", "the answer is not JSON");
    return { value, text };
  }

  async #send(request: KasRequest, signal: AbortSignal): Promise<DialResponse> {
    const first = await this.#attempt(request, { renew: false, signal });
    let response = first;
    if (first && isRefusedByKas(first)) {
      discard(first);
      response = await this.#attempt(request, { renew: true, signal });
    }
    if (!response || isRefusedByKas(response)) {
      if (response) discard(response);
      throw new KubeClientError("unauthorized", "kas does not accept the credential for this agent");
    }
    if (response.statusCode >= 400) throw await failureOf(response);
    this.#options.configurationError(headerOf(response, "kas-agent-config-error"));
    return response;
  }

  async #attempt(request: KasRequest, ask: { renew: boolean; signal: AbortSignal }): Promise<DialResponse | undefined> {
    try {
      const headers = await this.#options.headers(ask);
      if (!headers) return undefined;
      return await this.#options.dialer.request({
        method: request.body === undefined ? "GET" : "POST",
        path: request.path,
        headers: {
          accept: request.accept ?? ACCEPT_JSON,
          ...(request.ifNoneMatch === undefined ? {} : { "if-none-match": request.ifNoneMatch }),
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        signal: ask.signal,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
    } catch (error) {
      if (error instanceof Fault && error.reason === "session_ended")
        throw new KubeClientError("unauthorized", error.message, { cause: error });
      throw new KubeClientError("connection", error instanceof Fault ? error.message : "kas does not answer", { cause: error });
    }
  }
}

/** A refusal of kas or of the API server, by the table of decisions.md §1. */
async function failureOf(response: DialResponse): Promise<KubeClientError> {
  const text = await response.body.text().catch(() => "");
  const code = response.statusCode;
  const status = parseStatus(parseJson(text)) ?? createStatus(code, text.slice(0, 500));
  const retryAfter = headerOf(response, "retry-after");
  const seconds = Number(retryAfter);
  const options = {
    status: { ...status, code },
    retryAfterSeconds: retryAfter !== undefined && Number.isFinite(seconds) ? seconds : undefined,
  };
  // Only kas adds Retry-After to these two; the API server's own 503 and 504 belong to one kind, not to the way there.
  if (code === 503 && retryAfter !== undefined) {
    // The same code says that kas cannot ask the main application, Redis or a peer; the cause tells them apart.
    return new KubeClientError(causeOf(status) === "agent_not_connected" ? "agent_offline" : "connection", status.message, options);
  }
  if (code === 504 && retryAfter !== undefined) return new KubeClientError("busy", status.message, options);
  if (code === 502) return new KubeClientError("connection", status.message, options);
  return new KubeClientError("api", status.message, options);
}

function asEventOf(kind: ResourceKind, event: WatchEvent): WatchEvent {
  if (event.type === "BOOKMARK" || event.type === "ERROR") return event;
  return { type: event.type, object: asObjectOf(kind, event.object) ?? event.object };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
