import type { FaultReason } from "@binnacle/rpc";

/** How the search for a tunnel ended: found here, found on another kas, or the reason it was not. */
type RouteOutcome = "local" | "peer" | FaultReason;

/** Which listener something came to. */
export type ListenerName = "agent" | "api" | "internal" | "k8s_proxy";

/**
 * Why a stream or a connection was rejected before it was served: by its credential or a limit, or because its connection broke the
 * protocol (`session_error`), showed no good credential in time (`unauthenticated_timeout`) or was one too many of those that have not
 * shown one yet (`unauthenticated_limit`); over HTTP/1 also because it was no request (`malformed`, `headers_too_large`,
 * `headers_timeout`) or a WebSocket of another page (`foreign_origin`).
 */
export type RefusalReason =
  | FaultReason
  | "session_error"
  | "unauthenticated_timeout"
  | "unauthenticated_limit"
  | "malformed"
  | "headers_too_large"
  | "headers_timeout"
  | "foreign_origin";

/** What routing counts. Gauges (tunnels, waiters) come from `TunnelRegistry.counts`. */
export interface RoutingMetrics {
  /** A caller has a tunnel, or gave up, after this long. */
  routed(outcome: RouteOutcome, waitMs: number): void;
  /** A stream was ended because its other side broke the rules of its frames. */
  frameViolation(side: "agent" | "peer"): void;
  /** What answers callers threw something that is no Fault: an error of ours. It ended one call. */
  listenerBug(): void;
  /** A request on the internal listener without a valid token, or that came a second time. */
  hopRefused(): void;
  /** An entry of the route store that no kas has signed. */
  rogueRoute(): void;
  /** A report of a sync in Redis that no kas has signed. */
  rogueSync(): void;
  /** A stream or a connection was refused. */
  refused(listener: ListenerName, reason: RefusalReason): void;
}

/** Counts nothing. */
export const noMetrics: RoutingMetrics = {
  routed: () => undefined,
  frameViolation: () => undefined,
  listenerBug: () => undefined,
  hopRefused: () => undefined,
  rogueRoute: () => undefined,
  rogueSync: () => undefined,
  refused: () => undefined,
};
