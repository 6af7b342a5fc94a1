import { GitopsRight, ReviewGitopsResponseSchema, type ReviewGitopsResponse } from "@binnacle/proto/dashboard";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { levelOf, type Features } from "../config/features.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { PermissionsContext } from "../kas/viewer-permissions.ts";
import { toSentWords } from "../base/sent-words.ts";
import { findSync, type SyncQuestion, type FindSyncContext } from "./find-sync.ts";

/** What rights to a sync are reviewed with. */
export interface ReviewGitopsContext extends FindSyncContext, PermissionsContext {
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** A request to a sync reads the inventory first, as kubectl does it, and then writes it. */
const VERBS = ["get", "patch"] as const;

/** What the cluster says of the viewer's rights. */
interface RightReview {
  readonly right: GitopsRight;
  readonly why?: Words;
}

/**
 * Whether the viewer may send requests to a sync, as the cluster answers. It decides what a page offers: a request itself is authorized by the
 * cluster again.
 *
 * @throws Fault as findSync
 */
export async function reviewGitops(
  context: ReviewGitopsContext,
  question: SyncQuestion,
  signal: AbortSignal,
): Promise<ReviewGitopsResponse> {
  const { access, environment, sync } = await findSync(context, question, signal);
  if (levelOf(context.features, environment.tier) === "off") {
    const why = words("action/off", { environment: environment.name });
    return create(ReviewGitopsResponseSchema, { right: GitopsRight.DENIED, words: toSentWords(why) });
  }
  const { right, why } = await rightTo(context, access, { namespace: sync.inventoryNamespace, name: sync.inventoryName });
  return create(ReviewGitopsResponseSchema, { right, ...(why && { words: toSentWords(why) }) });
}

async function rightTo(
  { permissions }: PermissionsContext,
  access: KasAccess,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<RightReview> {
  const all = await Promise.all(
    VERBS.map(async (verb): Promise<RightReview> => {
      const review = await permissions.review(access, { verb, group: "", version: "v1", resource: "configmaps", namespace, name });
      if (review.right === "allowed") return ALLOWED;
      if (review.right === "not-known") return { right: GitopsRight.UNSPECIFIED, why: review.why };
      return { right: GitopsRight.DENIED, why: words("gitops/may-not", { verb, namespace, name }) };
    }),
  );
  return all.find(({ right }) => right === GitopsRight.DENIED) ?? all.find(({ right }) => right !== GitopsRight.ALLOWED) ?? ALLOWED;
}

const ALLOWED: RightReview = { right: GitopsRight.ALLOWED };
