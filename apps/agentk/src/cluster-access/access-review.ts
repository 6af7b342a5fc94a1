import { fieldsAt } from "@binnacle/kube";

import type { ApiAnswer, ClusterApi } from "./cluster-api.ts";

const GROUP = "authorization.k8s.io/v1";

/** An access that is checked. */
export interface RequestedRight {
  readonly verb: string;
  /** Empty for core. */
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

/** Asks the cluster whether the identity of `api` has the right. @returns `isAllowed` counts only when `answer` is a success */
export async function reviewAccess(
  api: ClusterApi,
  right: RequestedRight,
  signal: AbortSignal,
): Promise<{ readonly isAllowed: boolean; readonly answer: ApiAnswer }> {
  const { verb, group, resource, namespace } = right;
  const spec = { resourceAttributes: { verb, group, resource, namespace } };
  const body = { apiVersion: GROUP, kind: "SelfSubjectAccessReview", spec };
  const answer = await api.call({ method: "POST", target: `/apis/${GROUP}/selfsubjectaccessreviews`, body, signal });
  return { isAllowed: fieldsAt(answer.value, "status")["allowed"] === true, answer };
}
