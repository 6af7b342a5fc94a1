"use client";
import { useEffect, useEffectEvent } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import type { LiveNode } from "../live/live-node.ts";
import type { Attempt } from "./action-attempt.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";
import { followStep, type Follow } from "./follow-action.ts";

const DAY_MS = 86_400_000;

/**
 * Follows a written action with each change of its node and with time, as long as the component is on the page. Of a view that is paused or
 * not current nothing is concluded.
 *
 * @param attempt absent: nothing is followed @param node absent: the resource has left the view
 */
export function useFollowing(of: ResultIdentity, attempt: Attempt | undefined, node: LiveNode | undefined): void {
  const view = useView();
  const isOver = !isFollowed(attempt);
  // What has ended changes no more: it must not render every second.
  const nowMs = useNow(isOver ? DAY_MS : undefined);
  const isCurrent = view.pause === undefined && !view.kept && view.complete && freshnessOf(view, nowMs).kind === "live";
  const next = attempt !== undefined && !isOver && isCurrent ? nextOf(attempt, node, nowMs) : undefined;
  const change = next === undefined || next === attempt?.follow ? "" : `${next.kind} ${next.seenMs ?? ""}`;
  const put = useEffectEvent(() => {
    if (attempt === undefined || next === undefined) return;
    actionResults.update(of, attempt.action.request.requestId, (now) => ({ ...now, follow: next }));
  });
  useEffect(() => {
    if (change !== "") put();
  }, [change]);
}

/** Whether time, or a change of the resource, may change what is known of an action. */
export function isFollowed(attempt: Pick<Attempt, "state" | "follow"> | undefined): boolean {
  return attempt?.state.kind === "written" && attempt.follow.kind !== "settled" && attempt.follow.kind !== "gone";
}

function nextOf({ action, state, follow }: Attempt, node: LiveNode | undefined, nowMs: number): Follow {
  if (state.kind !== "written") return follow;
  return followStep(follow, { intent: action.intent, mark: action.mark, writtenMs: state.atMs, node, nowMs });
}
