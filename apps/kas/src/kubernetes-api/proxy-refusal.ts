import { createStatus, type KubernetesStatus } from "@binnacle/kube";
import { Fault, httpStatusOf, type FaultReason } from "@binnacle/rpc";

/**
 * Why the proxy itself does not answer: a Kubernetes `Status`, so that kubectl prints the sentence
 * (docs/design/contract.md "Status codes of the k8s-proxy").
 */
export class ProxyRefusal extends Error {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Stable word for machines, when an expected failure is behind it. */
  readonly reason: FaultReason | undefined;

  constructor(
    code: number,
    message: string,
    extra: { readonly headers?: Readonly<Record<string, string>>; readonly reason?: FaultReason } = {},
  ) {
    super(message);
    this.name = "ProxyRefusal";
    this.code = code;
    this.headers = extra.headers ?? {};
    this.reason = extra.reason;
  }

  /** The body; the machine's word stands in `details.causes`, where clients of Kubernetes look for it. */
  get status(): KubernetesStatus {
    const { reason, message } = this;
    return createStatus(this.code, `agent server: ${message}`, reason === undefined ? {} : { details: { causes: [{ reason, message }] } });
  }

  /** Credential bad, agent unknown or user not allowed: all the same, nobody learns which. */
  static unauthorized(): ProxyRefusal {
    return new ProxyRefusal(401, "Unauthorized", { headers: { "Gitlab-Unauthorized": "true" } });
  }
}

/** Codes that differ from the table of docs/design/conventions.md "Errors". */
const CODES: Readonly<Record<string, number>> = {
  queue_full: 504,
  agent_outdated: 503,
  store_unavailable: 503,
  main_application_unavailable: 503,
};

/** An expected failure of routing or authorising as a refusal. */
export function refusalOfFault(fault: Fault): ProxyRefusal {
  const code = CODES[fault.reason] ?? httpStatusOf(fault.code);
  const headers: Record<string, string> =
    code === 429 || code === 503 || code === 504 ? { "Retry-After": String(fault.retryAfterSeconds ?? 5) } : {};
  return new ProxyRefusal(code, fault.message, { headers, reason: fault.reason });
}

/** Any failure as a refusal; the words of a bug stay here. */
export function refusalOf(error: unknown): ProxyRefusal {
  if (error instanceof ProxyRefusal) return error;
  if (error instanceof Fault) return refusalOfFault(error);
  return new ProxyRefusal(500, "internal error");
}
