/** One request to a Kubernetes API server. */
export interface KubeRequest {
  readonly method: "GET" | "POST";
  /** Path and query, from the slash on. */
  readonly path: string;
  /** Value of `Accept`. */
  readonly accept: string;
  /** Value of `If-None-Match`. */
  readonly ifNoneMatch?: string;
  /** JSON text; only with POST. */
  readonly body?: string;
}

/** An answer whose body has not been read yet: read `body` to its end, with a limit, or `close` it. */
export interface KubeResponse {
  /** HTTP status. */
  readonly status: number;
  /** The value of a header, whatever its case; the first when there are several. */
  header(name: string): string | undefined;
  /** The body in chunks as they come; throws when it breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what was not read. Never throws, also not later. */
  close(): void;
}

/**
 * The way to one Kubernetes API server as one identity: addresses, TLS and credentials, and nothing of Kubernetes.
 *
 * `request` resolves with every answer of the API server, whatever its status. It rejects with a KubeClientError when there is
 * no answer of the API server (`connection`, `timeout`, or what a proxy on the way says: `agent_offline`, `busy`,
 * `unauthorized`); any other error counts as `connection`.
 */
export interface KubeTransport {
  request(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse>;
}
