/** Methods of the Kubernetes API. */
export type KubeMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What is sent: text, or bytes of an unknown number that are read as fast as the server accepts them. */
export type KubeBody = string | AsyncIterable<Uint8Array>;

/** One request to a Kubernetes API server. */
export interface KubeRequest {
  readonly method: KubeMethod;
  /** Path and query, from the slash on, as they go over the wire: nothing is encoded or resolved any more. */
  readonly path: string;
  /** Value of `Accept`. */
  readonly accept: string;
  /** Value of `If-None-Match`. */
  readonly ifNoneMatch?: string;
  /** Never with GET or HEAD. A source that fails breaks the request off; it is closed when the request ends before it does. */
  readonly body?: KubeBody;
  /** Value of `Content-Type` for a body; default JSON. Patches say by it what they are ("application/merge-patch+json"). */
  readonly contentType?: string;
  /** For proxies on the way: a watch that lists can stand in for, or a question whose answer must not be an old one. */
  readonly purpose?: "watch" | "proof";
  /**
   * For proxies on the way: a target that does not answer within this number of seconds is reported as unavailable (`agent_offline`,
   * `api_down`). It is not sent to the API server.
   */
  readonly answerWithinSeconds?: number;
}

/** An answer whose body has not been read yet: read `body` to its end, with a limit, or `close` it. */
export interface KubeResponse {
  /** HTTP status. */
  readonly status: number;
  /** The value of a header, whatever its case; the first when there are several, but of `Warning` all, joined with commas. */
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
 * `unauthorized`); any other error counts as `connection`. The error's `stage` says whether the request can have done anything.
 *
 * A request that changes something goes out once: no transport sends it again, also after a failure. The one exception is an answer that
 * says it was not let in (429; `createPatientTransport`). One whose answer begins before its body has ended sends no more of it.
 *
 * Upgrades (exec, attach, port-forward) are no requests and will be a second method, `upgrade(request, signal)`, that gives a
 * duplex stream on a connection of its own; such a connection never comes from a pool and never goes back to one (threat T1).
 */
export interface KubeTransport {
  request(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse>;
}

/** Whether a request may go out a second time: it only asks. */
export function isRepeatable({ method, purpose }: Pick<KubeRequest, "method" | "purpose">): boolean {
  return method === "GET" || method === "HEAD" || purpose === "proof";
}
