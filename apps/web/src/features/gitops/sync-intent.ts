import type { GitopsObjectTargetSchema, GitopsSync } from "@binnacle/proto/dashboard";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { GitopsState, GitopsWish } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { tLater } from "../../ui/messages.ts";

/** A request to a sync, and the state of the sync when the page offered it. */
export interface SyncIntent {
  readonly kind: GitopsWish;
  readonly sync: GitopsSync;
  /** The object, or the field, that it is about; absent for a request to the whole sync. */
  readonly object?: MessageInitShape<typeof GitopsObjectTargetSchema>;
}

/** The whole id of the commit that may be consented to; `undefined` when nothing is held back, or only the begin of the id is known. */
export function commitToConsent({ sha, pruneHeld }: GitopsSync): string | undefined {
  return pruneHeld !== "" && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? sha : undefined;
}

/** The request, in words that claim nothing about its outcome. */
export function intentText({ kind, sync }: SyncIntent): string {
  switch (kind) {
    case GitopsWish.PAUSE:
      return tLater("gitops/pause-requested");
    case GitopsWish.RESUME:
      return tLater("gitops/resume-requested");
    case GitopsWish.CONSENT:
      return tLater("gitops/consent-given", { shortSha: shortSha(sync.sha) });
    case GitopsWish.TAKE_OVER:
      return tLater("gitops/take-over-requested");
    case GitopsWish.KEEP:
      return tLater("gitops/keep-requested");
    case GitopsWish.UNDO_KEEP:
      return tLater("gitops/undo-requested");
    default:
      return tLater("gitops/sync-requested");
  }
}

/** Whether the agent has since reported the requested state, or one that makes the request pointless: then its report replaces the note. */
export function isReported({ kind, sync: before }: SyncIntent, now: GitopsSync): boolean {
  switch (kind) {
    case GitopsWish.PAUSE:
      return now.state === GitopsState.PAUSED;
    case GitopsWish.RESUME:
      return now.state !== GitopsState.PAUSED;
    case GitopsWish.CONSENT:
      return now.pruneHeld === "" || now.sha !== before.sha;
    default:
      return timesOf(now) !== timesOf(before);
  }
}

function timesOf({ startedAt, finishedAt }: GitopsSync): string {
  return [startedAt, finishedAt].map((at) => (at === undefined ? "" : String(millisOf(at)))).join("/");
}
