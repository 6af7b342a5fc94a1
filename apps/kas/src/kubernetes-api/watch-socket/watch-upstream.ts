/** The cluster's API for watches. */
export interface WatchUpstream {
  /**
   * Bytes of a watch: JSON lines.
   *
   * @param request path without a query ("/api/v1/pods") and the query
   * @param signal aborted when the watch is not needed any more
   * @throws (while iterating) an error with a `status` of Kubernetes if there is one, else any error
   */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * A watch was rejected before a request to the cluster.
   *
   * @param request undefined when the parameters describe none
   */
  refused?(code: number, request?: WatchRequest): void;
}

/** One watch as a request to the Kubernetes API. */
export interface WatchRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}
