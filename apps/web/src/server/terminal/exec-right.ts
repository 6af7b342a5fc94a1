import { missingRight, reviewAccess, type AccessReview, type MissingRight } from "../kas/access-review.ts";
import type { KasKubeClient } from "../kas/kas-kube-client.ts";

/** Older API servers check `create` for SPDY and `get` for WebSockets, newer ones `create` for both: a terminal needs both rights. */
const VERBS = ["create", "get"] as const;

type JsonCall = Parameters<KasKubeClient["json"]>;

/**
 * Whether the viewer may run programs in the pod, as the cluster says now. What is not known counts as not allowed.
 *
 * @param purpose `proof` for a terminal that runs
 */
export async function reviewExec(
  client: Pick<KasKubeClient, "json">,
  { namespace, pod, purpose }: { readonly namespace: string; readonly pod: string; readonly purpose?: "proof" },
  signal: AbortSignal,
): Promise<AccessReview> {
  // kas answers a proof from no old permission (docs/design/limits.md "Proofs").
  const reviewer = purpose === undefined ? client : { json: (...[request]: JsonCall) => client.json({ ...request, proof: true }, signal) };
  const of = { group: "", version: "v1", resource: "pods", subresource: "exec", namespace, name: pod };
  const reviews = await Promise.all(VERBS.map((verb) => reviewAccess(reviewer, { verb, ...of }, signal)));
  return reviews.find(({ right }) => right === "denied") ?? reviews.find(({ right }) => right === "not-known") ?? { right: "allowed" };
}

/** The right that is missing where a terminal is denied. */
export function missingExec(namespace: string): MissingRight {
  return missingRight({ group: "", resource: "pods", subresource: "exec" }, VERBS, namespace);
}
