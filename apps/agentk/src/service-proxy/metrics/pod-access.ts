import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";

import { reviewAccess } from "../../cluster-access/access-review.ts";
import { isOk, reasonOf, type ApiAs } from "../../cluster-access/cluster-api.ts";
import { identityOfConfig } from "../../cluster-access/impersonation.ts";
import { ServiceRefusal } from "../service-refusal.ts";

/** Whoever sees a pod's figures must be able to see the pod. */
const VERBS = ["get", "list"] as const;

/**
 * Asks the cluster, as the caller, whether he may get and list pods there: a review of oneself under his identity, so that the API server completes
 * his groups as it would for his own requests, and agentk needs no right for it but to impersonate.
 *
 * @param identity absent: the caller's requests are made as agentk itself
 * @throws ServiceRefusal `pods_forbidden`
 */
export async function checkPodAccess(
  apiAs: ApiAs,
  {
    namespace,
    identity,
    signal,
  }: { readonly namespace: string; readonly identity: ImpersonationConfig | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const api = apiAs(identityOfConfig(identity));
  const answers = await Promise.all(
    VERBS.map(async (verb) => {
      const { answer, isAllowed } = await reviewAccess(api, { verb, group: "", resource: "pods", namespace }, signal);
      if (!isOk(answer)) throw new ServiceRefusal("agent_rights_missing", `the agent cannot ask what you may see: ${reasonOf(answer)}`);
      return { verb, isAllowed };
    }),
  );
  const refused = answers.find(({ isAllowed }) => !isAllowed);
  if (refused === undefined) return;
  throw new ServiceRefusal("pods_forbidden", `you may not ${refused.verb} pods in namespace ${namespace}, so its metrics are not shown`);
}
