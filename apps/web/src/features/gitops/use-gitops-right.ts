"use client";
import type { ReviewGitopsResponse } from "@binnacle/proto/dashboard";
import { GitopsRight } from "@binnacle/proto/dashboard-enums";
import { useQuery } from "@tanstack/react-query";
import { messageText } from "../../ui/messages.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { detailKeys, type InventoryIdentity } from "../queries/detail-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";

const LIMIT_MS = 20_000;
/** Rights change seldom, and the cluster authorizes every action again. */
const FRESH_MS = 5 * 60_000;
/** An unknown right is queried again. */
const UNKNOWN_MS = 30_000;

/** Whether the viewer may ask anything of a sync. */
export type SyncRight =
  | { readonly kind: "allowed" }
  | { readonly kind: "asking" }
  /** `why` is a sentence. */
  | { readonly kind: "denied" | "unknown"; readonly why: string };

/** The viewer's right to change an inventory's annotations, as the cluster says it. */
export function useGitopsRight(of: InventoryIdentity): SyncRight {
  const review = useQuery({
    queryKey: detailKeys.gitopsRight(of),
    queryFn: async ({ signal }) => (await loadDashboard()).reviewGitops({ target: of }, { signal, timeoutMs: LIMIT_MS }),
    staleTime: FRESH_MS,
    retry: false,
    refetchInterval: ({ state: { data, status } }) => (status === "error" || data?.right === GitopsRight.UNSPECIFIED ? UNKNOWN_MS : false),
  });
  const problem = sentenceOfError(review.error);
  if (problem !== undefined) return { kind: "unknown", why: problem };
  return review.data === undefined ? { kind: "asking" } : rightOf(review.data);
}

function rightOf({ right, words }: ReviewGitopsResponse): SyncRight {
  if (right === GitopsRight.ALLOWED) return { kind: "allowed" };
  return { kind: right === GitopsRight.DENIED ? "denied" : "unknown", why: messageText(words) };
}
