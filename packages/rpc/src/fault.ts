import { Code } from "@connectrpc/connect";

/**
 * Every failure we expect, with the one code it travels as (docs/design/conventions.md "Errors"). Reasons are stable words for machines;
 * add a row here and nowhere else.
 */
export const FAULTS = {
  invalid_request: Code.InvalidArgument,
  frame_order: Code.InvalidArgument,
  replica_not_addressable: Code.FailedPrecondition,
  configuration_invalid: Code.FailedPrecondition,
  manifests_refused: Code.FailedPrecondition,
  token_missing: Code.Unauthenticated,
  token_unknown: Code.Unauthenticated,
  jwt_invalid: Code.Unauthenticated,
  session_ended: Code.Unauthenticated,
  agent_forbidden: Code.PermissionDenied,
  environment_forbidden: Code.PermissionDenied,
  not_found: Code.NotFound,
  agent_unknown: Code.NotFound,
  conflict: Code.Aborted,
  rate_limited: Code.ResourceExhausted,
  over_budget: Code.ResourceExhausted,
  watch_budget_spent: Code.ResourceExhausted,
  queue_full: Code.ResourceExhausted,
  watch_limit: Code.ResourceExhausted,
  share_exceeded: Code.ResourceExhausted,
  message_too_large: Code.ResourceExhausted,
  cancelled: Code.Canceled,
  internal: Code.Internal,
  not_implemented: Code.Unimplemented,
  access_mode_unknown: Code.Unimplemented,
  agent_outdated: Code.Unimplemented,
  cannot_impersonate: Code.Unimplemented,
  unknown_method: Code.Unimplemented,
  agent_not_connected: Code.Unavailable,
  tunnel_broken: Code.Unavailable,
  answer_broken: Code.Unavailable,
  peer_unreachable: Code.Unavailable,
  main_application_unavailable: Code.Unavailable,
  gitaly_unavailable: Code.Unavailable,
  store_unavailable: Code.Unavailable,
  cluster_unavailable: Code.Unavailable,
  shutting_down: Code.Unavailable,
  tunnels_busy: Code.DeadlineExceeded,
  deadline: Code.DeadlineExceeded,
  agent_silent: Code.DeadlineExceeded,
  cluster_silent: Code.DeadlineExceeded,
  reader_stalled: Code.DeadlineExceeded,
  upload_stalled: Code.DeadlineExceeded,
} as const satisfies Record<string, Code>;

/** Stable word for a failure. */
export type FaultReason = keyof typeof FAULTS;

/** An expected failure: a reason for machines, a sentence for people, the cause for us. Anything else that is thrown is a bug. */
export class Fault extends Error {
  readonly reason: FaultReason;
  readonly code: Code;
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
