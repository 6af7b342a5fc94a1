import type { KubeClientError } from "@binnacle/environment-view";
import { causeOf, type KubernetesStatus } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

/** The header by which agentk's own answers are known (docs/design/services.md "Failures"). */
export const REFUSAL_HEADER = "binnacle-service-refusal";

/** Why no service was queried. */
export interface ServiceRefusal {
  readonly why: Words;
  /** Whose questions would be refused too: everybody's to the service, those of the namespace, or none but this one. */
  readonly reach: "service" | "namespace" | "question";
}

const MESSAGES = {
  service_not_allowed: "metrics/service-not-allowed",
  service_address_refused: "metrics/service-address-refused",
  service_withdrawn: "metrics/service-withdrawn",
  service_redirects: "metrics/service-redirects",
  service_answer_refused: "metrics/service-answer-refused",
  service_unreachable: "metrics/service-unreachable",
  service_silent: "metrics/service-silent",
  agent_rights_missing: "metrics/agent-rights-missing",
  pods_forbidden: "metrics/pods-forbidden",
  service_request_refused: "metrics/question-refused",
} as const;

/**
 * A refusal in our words, with the agent's own behind them where those say more.
 *
 * @param reason agentk's; `undefined` when it is not agentk that refuses: an older kas or agent knows no services
 * @returns `undefined` when it says nothing of services: the way to the agent is not there
 */
export function refusalOf(
  { reason, status, code }: { readonly reason: string | undefined; readonly status: KubernetesStatus | undefined; readonly code: number },
  { service, namespace }: { readonly service: string; readonly namespace: string },
): ServiceRefusal | undefined {
  const known = reason !== undefined && Object.hasOwn(MESSAGES, reason);
  if (known) {
    // The compiler does not read hasOwn.
    const id = MESSAGES[reason as keyof typeof MESSAGES];
    const reach = reason === "pods_forbidden" ? "namespace" : reason === "service_request_refused" ? "question" : "service";
    return { why: words(id, { service, namespace, said: detailsOf(reason, status) }), reach };
  }
  if (reason !== undefined) return { why: words("metrics/service-refused", { service, said: status?.message }), reach: "service" };
  const isOld = code === 404 || code === 403 || code === 501;
  return isOld ? { why: words("metrics/no-services"), reach: "service" } : undefined;
}

/** Of a failure on the way: kas marks it, or takes a 502 for one. */
export function refusalOfError(
  error: KubeClientError,
  of: { readonly service: string; readonly namespace: string },
): ServiceRefusal | undefined {
  const { status } = error;
  if (status === undefined) return undefined;
  const cause = causeOf(status);
  // Without a cause it is what a kas without services is known to answer.
  if (cause === "unknown_method" || (cause === undefined && status.code === 404))
    return { why: words("metrics/no-services"), reach: "service" };
  return cause !== undefined && Object.hasOwn(MESSAGES, cause) ? refusalOf({ reason: cause, status, code: status.code }, of) : undefined;
}

/** What says more than our words do: which Service, endpoint or right. */
function detailsOf(reason: string, status: KubernetesStatus | undefined): string | undefined {
  if (reason === "service_not_allowed" || reason === "pods_forbidden") return undefined;
  return status?.message.replace(/^agent: /, "");
}
