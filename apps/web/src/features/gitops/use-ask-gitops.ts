"use client";
import type { AskGitopsResponse, GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsAskOutcome, GitopsWish } from "@binnacle/proto/dashboard-enums";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { millisOf } from "../../ui/format-time.ts";
import { messageText } from "../../ui/messages.ts";
import { isRefusal, sentenceOfError } from "../queries/request-error.ts";
import { detailKeys, type InventoryIdentity } from "../queries/detail-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { isReported, type SyncIntent } from "./sync-intent.ts";

/** The server gives up before. */
const LIMIT_MS = 60_000;

/** The outcome of the viewer's last request; `nothing` also when the agent has reported since. */
export type SyncRequestState =
  | { readonly kind: "nothing" }
  | { readonly kind: "asking" }
  | { readonly kind: "written"; readonly intent: SyncIntent; readonly atMs: number }
  /** `why` is a sentence. */
  | { readonly kind: "refused" | "unknown"; readonly why: string };

/** Sends a request to a sync, once: a failed one is never retried automatically. */
export function useAskGitops(
  of: InventoryIdentity,
  sync: GitopsSync,
): { readonly requestState: SyncRequestState; readonly ask: (intent: SyncIntent) => void } {
  const client = useQueryClient();
  const asking = useMutation({
    // A browser that thinks it is offline still reaches a server on its own machine.
    networkMode: "always",
    retry: false,
    mutationFn: async ({ kind, sync: shown, object }: SyncIntent) => {
      const commit = kind === GitopsWish.CONSENT ? shown.sha : "";
      return (await loadDashboard()).askGitops({ target: of, wish: kind, commit, ...(object && { object }) }, { timeoutMs: LIMIT_MS });
    },
    onSettled: (answer) => {
      if (answer?.outcome === GitopsAskOutcome.WRITTEN) return;
      // The right may be gone. The result is not awaited here: the query itself shows it.
      void client.invalidateQueries({ queryKey: detailKeys.gitopsRight(of) });
    },
  });
  const { data, error, isPending, variables: intent, mutate } = asking;
  return { requestState: isPending ? { kind: "asking" } : (stateOfError(error) ?? stateOf(data, intent, sync)), ask: mutate };
}

function stateOfError(error: unknown): SyncRequestState | undefined {
  const why = sentenceOfError(error);
  return why === undefined ? undefined : { kind: isRefusal(error) ? "refused" : "unknown", why };
}

function stateOf(answer: AskGitopsResponse | undefined, intent: SyncIntent | undefined, now: GitopsSync): SyncRequestState {
  if (answer === undefined || intent === undefined) return { kind: "nothing" };
  const { outcome, askedAt, words } = answer;
  if (outcome === GitopsAskOutcome.REFUSED) return { kind: "refused", why: messageText(words) };
  if (outcome !== GitopsAskOutcome.WRITTEN || askedAt === undefined) return { kind: "unknown", why: messageText(words) };
  return isReported(intent, now) ? { kind: "nothing" } : { kind: "written", intent, atMs: millisOf(askedAt) };
}
