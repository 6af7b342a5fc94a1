import { KubeClientError } from "@binnacle/environment-view";
import { z } from "zod";

import type { KasKubeClient } from "./kas-kube-client.ts";

/** Who a viewer is to the cluster, as the cluster says it. */
export interface ClusterIdentity {
  readonly username: string;
  readonly groups: readonly string[];
  /** Equal for equal identities: user, uid, groups and extra, but for what names a credential. */
  readonly key: string;
}

const reviewSchema = z.object({
  status: z.object({
    userInfo: z.object({
      username: z.string(),
      uid: z.string().optional(),
      groups: z.array(z.string()).optional(),
      extra: z.record(z.string(), z.array(z.string())).optional(),
    }),
  }),
});

/**
 * What the API server notes of the credential itself, its id and the pod it was made for: it changes with every token, and no rule
 * of authorization reads it. @see Kubernetes reference, "Authenticating", "Service account tokens"
 */
const OF_CREDENTIAL = "authentication.kubernetes.io/";

/**
 * Asks the cluster who the viewer is (SelfSubjectReview), which is also the cheap request that proves a subscriber again.
 *
 * @returns `undefined` when the cluster is too old to know (before 1.27): then no other viewer shares with this one
 * @throws KubeClientError
 */
export async function reviewIdentity(client: Pick<KasKubeClient, "json">, signal: AbortSignal): Promise<ClusterIdentity | undefined> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  let answer: unknown;
  try {
    answer = await client.json({ path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", body, proof: true }, signal);
  } catch (error) {
    const code = error instanceof KubeClientError && error.failure === "api" ? error.status?.code : undefined;
    if (code === 404 || code === 403 || code === 405) return undefined;
    throw error;
  }
  const review = reviewSchema.safeParse(answer).data;
  if (!review) return undefined;
  const { username, uid = "", groups = [], extra = {} } = review.status.userInfo;
  // `extra` carries the session or token that was used in some access modes; viewers who differ there do not share.
  const telling = Object.entries(extra).filter(([name]) => !name.startsWith(OF_CREDENTIAL));
  const sortedExtra = telling.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { username, groups, key: JSON.stringify([username, uid, groups.toSorted(), sortedExtra]) };
}
