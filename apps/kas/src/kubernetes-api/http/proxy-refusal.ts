import { createStatus, type KubernetesStatus } from "@binnacle/kube";
import { Fault, httpStatusOf, type FaultReason } from "@binnacle/rpc";

import type { CallClass } from "../../agent-call/call-context.ts";
import type { CallStage } from "../../agent-call/agent-call.ts";
import type { ExchangeFailure } from "../../http-exchange/http-exchange.ts";

/** What a refusal says beside its code and sentence. */
interface RefusalDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** Stable word for machines, when an expected failure is behind it. */
  readonly reason?: FaultReason;
  /** How far the request came, once it was on its way. */
  readonly stage?: CallStage;
}

/**
 * Why the proxy itself does not answer: a Kubernetes `Status`, so that kubectl prints the sentence
 * (docs/design/contract.md "Status codes of the k8s-proxy").
 */
export class ProxyRefusal extends Error {
  readonly code: number;
  readonly reason: FaultReason | undefined;
  readonly stage: CallStage | undefined;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, { headers = {}, reason, stage }: RefusalDetails = {}) {
    super(message);
    this.name = "ProxyRefusal";
    this.code = code;
    this.#headers = headers;
    this.reason = reason;
    this.stage = stage;
  }

  /** `Kas-Refusal` tells kas' own answers from the cluster's: no cluster can send it through. */
  get headers(): Readonly<Record<string, string>> {
    return { ...this.#headers, "Kas-Refusal": this.reason ?? String(this.code) };
  }

  /** The body; the machine's word stands in `details.causes`, where clients of Kubernetes look for it, beside it the stage. */
  get status(): KubernetesStatus {
    const { reason, message, stage } = this;
    const details = {
      ...(reason === undefined ? {} : { causes: [{ reason, message }] }),
      ...(stage === undefined ? {} : { stage }),
    };
    return createStatus(this.code, `kas (agent server): ${message}`, Object.keys(details).length === 0 ? {} : { details });
  }

  /** Credential bad, agent unknown or user not allowed: the response is the same, so that clients cannot distinguish them. */
  static unauthorized(): ProxyRefusal {
    return new ProxyRefusal(401, "Unauthorized", { headers: { "Gitlab-Unauthorized": "true" } });
  }
}

/**
 * Codes that differ from the general table of faults. A cause that lasts until a configuration changes is 501: a retry cannot
 * succeed. A wait that timed out is 503 or 504.
 */
const CODES: Readonly<Record<string, number>> = {
  store_unavailable: 503,
  main_application_unavailable: 503,
};

const RETRY_AFTER_SECONDS = 1;

/** Seconds after which a retry may succeed; only for requests that were rejected without a wait. */
function retryAfterOf(code: number, { reason, retryAfterSeconds }: Fault): number | undefined {
  if (code === 429) return retryAfterSeconds ?? RETRY_AFTER_SECONDS;
  // A fault with a retry time was raised at once; otherwise the request has already waited as long as it may.
  return reason === "main_application_unavailable" || reason === "shutting_down" ? retryAfterSeconds : undefined;
}

/** What callers need not know: how kas reaches others. */
const WORDS: Readonly<Partial<Record<FaultReason, string>>> = {
  main_application_unavailable: "the main application is unavailable, so access cannot be checked; try again later",
};

/**
 * An expected failure of routing or authorising as a refusal.
 *
 * | failure | answer |
 * |---|---|
 * | `agent_not_connected`, `peer_unreachable`, `store_unavailable`, `main_application_unavailable` | 503 |
 * | `tunnels_busy`, `deadline` | 504 |
 * | `queue_full`, `rate_limited`, `watch_budget_spent` | 429 with `Retry-After` |
 * | `agent_outdated`, `cannot_impersonate`, `cannot_upgrade`, `unknown_method`, `access_mode_unknown` | 501 |
 * | `replica_not_addressable` | 400 |
 * | rights | 401, 403 |
 *
 * 503 and 504 come after the whole wait and have no `Retry-After`: kubectl would repeat the wait ten times without a word.
 */
export function refusalOfFault(fault: Fault): ProxyRefusal {
  const code = CODES[fault.reason] ?? httpStatusOf(fault.code);
  const retryAfter = retryAfterOf(code, fault);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return new ProxyRefusal(code, WORDS[fault.reason] ?? withoutAddresses(fault.message), { headers, reason: fault.reason });
}

/**
 * A request that broke after an agent had it: 502, because its effect is not known. Only a request that changes nothing and was not
 * answered in time is 504.
 */
export function refusalOfFailure({ fault, stage, attempts }: ExchangeFailure, callClass: CallClass): ProxyRefusal {
  if (stage === "not_started" && REOPEN.has(fault.reason)) return refusalOfFault(fault);
  const isSilence = fault.reason === "agent_silent" || fault.reason === "cluster_silent";
  const code = isSilence && callClass === "safe" ? 504 : 502;
  const message = fault.reason === "tunnel_broken" ? `the request broke on its way: ${fault.message}` : fault.message;
  return new ProxyRefusal(code, withoutAddresses(message), {
    reason: fault.reason,
    stage,
    headers: { "Kas-Attempts": String(attempts) },
  });
}

/** Why no other tunnel was found for a request that broke and could be made again. */
const REOPEN: ReadonlySet<FaultReason> = new Set([
  "agent_not_connected",
  "tunnels_busy",
  "queue_full",
  "peer_unreachable",
  "store_unavailable",
]);

/** Any failure as a refusal; the words of a bug stay here. */
export function refusalOf(error: unknown): ProxyRefusal {
  if (error instanceof ProxyRefusal) return error;
  if (error instanceof Fault) return refusalOfFault(error);
  return new ProxyRefusal(500, "internal error");
}

/** Removes addresses of kas, its peers and the main application. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s"'<>,;)]+/gi, "[address]");
}
