import { CODE, type CodeNumber } from "./code.ts";

/**
 * Every failure we expect, with the one code it travels as (docs/design/conventions.md "Errors"). Reasons are stable words for machines;
 * add a row here and nowhere else.
 */
export const FAULTS = {
  invalid_request: CODE.InvalidArgument,
  frame_order: CODE.InvalidArgument,
  replica_not_addressable: CODE.FailedPrecondition,
  configuration_invalid: CODE.FailedPrecondition,
  manifests_refused: CODE.FailedPrecondition,
  token_missing: CODE.Unauthenticated,
  token_unknown: CODE.Unauthenticated,
  jwt_invalid: CODE.Unauthenticated,
  session_ended: CODE.Unauthenticated,
  agent_forbidden: CODE.PermissionDenied,
  environment_forbidden: CODE.PermissionDenied,
  not_found: CODE.NotFound,
  agent_unknown: CODE.NotFound,
  conflict: CODE.Aborted,
  rate_limited: CODE.ResourceExhausted,
  over_budget: CODE.ResourceExhausted,
  watch_budget_spent: CODE.ResourceExhausted,
  queue_full: CODE.ResourceExhausted,
  watch_limit: CODE.ResourceExhausted,
  share_exceeded: CODE.ResourceExhausted,
  message_too_large: CODE.ResourceExhausted,
  cancelled: CODE.Canceled,
  internal: CODE.Internal,
  not_implemented: CODE.Unimplemented,
  access_mode_unknown: CODE.Unimplemented,
  agent_outdated: CODE.Unimplemented,
  cannot_impersonate: CODE.Unimplemented,
  cannot_upgrade: CODE.Unimplemented,
  unknown_method: CODE.Unimplemented,
  agent_not_connected: CODE.Unavailable,
  tunnel_broken: CODE.Unavailable,
  answer_broken: CODE.Unavailable,
  peer_unreachable: CODE.Unavailable,
  main_application_unavailable: CODE.Unavailable,
  gitaly_unavailable: CODE.Unavailable,
  store_unavailable: CODE.Unavailable,
  cluster_unavailable: CODE.Unavailable,
  shutting_down: CODE.Unavailable,
  tunnels_busy: CODE.DeadlineExceeded,
  deadline: CODE.DeadlineExceeded,
  agent_silent: CODE.DeadlineExceeded,
  cluster_silent: CODE.DeadlineExceeded,
  reader_stalled: CODE.DeadlineExceeded,
  upload_stalled: CODE.DeadlineExceeded,
} as const satisfies Record<string, CodeNumber>;

/** Stable word for a failure. */
export type FaultReason = keyof typeof FAULTS;

/** An expected failure: a reason for machines, a sentence for people, the cause for us. Anything else that is thrown is a bug. */
export class Fault extends Error {
  readonly reason: FaultReason;
  readonly code: CodeNumber;
  /** When the caller may try again, in seconds; becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: FaultReason, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.reason = reason;
    this.code = FAULTS[reason];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * How long a kas lets a request wait for its agent before it responds that there is none (`limits.agent_wait`, which may only be less). A
 * caller of kas must wait longer, or it times out before that response arrives (docs/design/view.md "Sources and freshness").
 */
export const AGENT_WAIT_MS = 20_000;
