/** Where the cluster's API is asked for a watch. */
export interface WatchUpstream {
  /**
   * Bytes of a watch: JSON lines.
   *
   * @param request path without a query ("/api/v1/pods") and the query
   * @param signal aborted when nobody wants the watch any more
   * @throws (while iterating) an error with a `status` of Kubernetes if there is one, else any error
   */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * A watch was refused before the cluster was asked for it.
   *
   * @param request undefined when the parameters describe none
   */
  refused?(code: number, request?: WatchRequest): void;
}

/** One watch as the Kubernetes API is asked for it. */
export interface WatchRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}
