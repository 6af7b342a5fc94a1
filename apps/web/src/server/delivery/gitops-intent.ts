import { PAUSED, PRUNE_CONSENT, SYNC_REQUESTED } from "@binnacle/kube";
import { GitopsWish, type AskGitopsRequest } from "@binnacle/proto/dashboard";

import type { ObjectIntent } from "./object-intent.ts";

/** What is asked of a sync, as the inventory's annotations say it. */
export interface Wish {
  /** For the log. */
  readonly name: "sync" | "pause" | "resume" | "consent" | ObjectIntent["name"];
  /** Part of a merge patch: null takes one away. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** The commit that is consented to; empty for all others. */
  readonly commit: string;
}

const WHOLE_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** `undefined` for what cannot be asked: an unknown wish, a consent to no commit, or a commit where none belongs. */
export function wishOf({ wish, commit, object }: Pick<AskGitopsRequest, "wish" | "commit" | "object">, nowMs: number): Wish | undefined {
  if (object !== undefined) return undefined;
  if (wish === GitopsWish.CONSENT) {
    return WHOLE_COMMIT.test(commit) ? { name: "consent", annotations: { [PRUNE_CONSENT]: commit }, commit } : undefined;
  }
  if (commit !== "") return undefined;
  switch (wish) {
    case GitopsWish.SYNC:
      return { name: "sync", annotations: { [SYNC_REQUESTED]: new Date(nowMs).toISOString() }, commit };
    case GitopsWish.PAUSE:
      return { name: "pause", annotations: { [PAUSED]: "true" }, commit };
    case GitopsWish.RESUME:
      return { name: "resume", annotations: { [PAUSED]: null }, commit };
    default:
      return undefined;
  }
}
