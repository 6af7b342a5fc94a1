import { KubeClientError } from "@binnacle/environment-view";
import { GitopsRight, ReviewGitopsResponseSchema, type ReviewGitopsResponse } from "@binnacle/proto/dashboard";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { z } from "zod";

import type { BffContext } from "../bff-context.ts";
import type { KasKubeClient } from "../upstream/kas-kube-client.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { findSync, type SyncQuestion } from "./find-sync.ts";

const PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
/** What is asked of a sync is read first, as kubectl does it, and then written. */
const VERBS = ["get", "patch"] as const;
const LIMIT_MS = 15_000;

const reviewSchema = z.object({ status: z.object({ allowed: z.boolean() }) });

/** What the cluster says of the viewer's rights. */
interface Said {
  readonly right: GitopsRight;
  readonly why?: Words;
}

/**
 * Whether the viewer may ask anything of a sync, as the cluster answers him. It is for what a page offers: whoever asks is judged by the
 * cluster again.
 *
 * @throws Fault as findSync
 */
export async function reviewGitops(context: BffContext, question: SyncQuestion, signal: AbortSignal): Promise<ReviewGitopsResponse> {
  const { access, sync } = await findSync(context, question, signal);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { right, why } = await rightTo(access.client, { namespace: sync.inventoryNamespace, name: sync.inventoryName }, inTime);
  return create(ReviewGitopsResponseSchema, { right, ...(why && { words: toSentWords(why) }) });
}

async function rightTo(
  client: Pick<KasKubeClient, "json">,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Said> {
  const reviewed = async (verb: (typeof VERBS)[number]): Promise<Said> => {
    const spec = { resourceAttributes: { verb, group: "", version: "v1", resource: "configmaps", namespace, name } };
    const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
    const review = reviewSchema.safeParse(await client.json({ path: PATH, body }, signal)).data;
    if (!review) return { right: GitopsRight.UNSPECIFIED, why: words("answer/not-of-api") };
    if (review.status.allowed) return { right: GitopsRight.ALLOWED };
    return { right: GitopsRight.DENIED, why: words("gitops/may-not", { verb, namespace, name }) };
  };
  try {
    const all = await Promise.all(VERBS.map(reviewed));
    return all.find(({ right }) => right === GitopsRight.DENIED) ?? all.find(({ right }) => right !== GitopsRight.ALLOWED) ?? ALLOWED;
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return { right: GitopsRight.UNSPECIFIED, why: error.words };
  }
}

const ALLOWED: Said = { right: GitopsRight.ALLOWED };
