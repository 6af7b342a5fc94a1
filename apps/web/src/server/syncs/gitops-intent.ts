import { PAUSED, PAUSED_REASON, PRUNE_CONSENT, SYNC_REQUESTED } from "@binnacle/kube";
import { GitopsWish, type AskGitopsRequest } from "@binnacle/proto/dashboard";

import type { ObjectIntent } from "./object-intent.ts";

/** Requests that are about all of a sync. */
export type SyncRequestName = "sync" | "pause" | "resume" | "consent";

/** A request to a sync, as annotations of the inventory. */
export interface GitopsIntent {
  /** For the log. */
  readonly name: SyncRequestName | ObjectIntent["name"];
  /** Part of a merge patch: null takes one away. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** The commit that is consented to; empty for all others. */
  readonly commit: string;
}

/** What a sync holds back, and of which commit. */
export interface HeldSync {
  /** Empty: nothing is held back. */
  readonly pruneHeld: string;
  /** Begin of the commit's id; empty while there is none. */
  readonly sha: string;
  /** Absent: only the begin of its id is known. */
  readonly commit?: { readonly sha: string } | undefined;
}

const FULL_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** One line, so that a report stays one. */
const REASON = /^[^\p{Cc}\p{Zl}\p{Zp}]{0,200}$/u;

/** Whether it is the full id of a commit. */
export function isFullCommit(commit: string): boolean {
  return FULL_COMMIT.test(commit);
}

/** Whether a prune is held back that this commit, known by the begin of its id, may do. */
export function isHeldFor({ pruneHeld, sha, commit: known }: HeldSync, commit: string): boolean {
  if (pruneHeld === "" || sha === "") return false;
  return known === undefined ? commit.startsWith(sha) : commit === known.sha;
}

/**
 * What a request writes into the annotations of an inventory, as part of a merge patch: null removes one.
 *
 * @param of `reason`: of a pause, may be empty @returns `undefined` for a reason that is too long, or has more than one line
 */
export function annotationsFor(
  name: SyncRequestName,
  of: { readonly atMs: number; readonly commit: string; readonly reason: string },
): GitopsIntent["annotations"] | undefined {
  switch (name) {
    case "sync":
      return { [SYNC_REQUESTED]: new Date(of.atMs).toISOString() };
    case "pause":
      return REASON.test(of.reason) ? { [PAUSED]: "true", [PAUSED_REASON]: of.reason || null } : undefined;
    case "resume":
      return { [PAUSED]: null, [PAUSED_REASON]: null };
    default:
      return { [PRUNE_CONSENT]: of.commit };
  }
}

const NAMES: Readonly<Partial<Record<GitopsWish, SyncRequestName>>> = {
  [GitopsWish.SYNC]: "sync",
  [GitopsWish.PAUSE]: "pause",
  [GitopsWish.RESUME]: "resume",
  [GitopsWish.CONSENT]: "consent",
};

/** `undefined` for an invalid request: an unknown one, a consent to no commit, or a commit where none belongs. */
export function intentOf(
  { wish, commit, object }: Pick<AskGitopsRequest, "wish" | "commit" | "object">,
  nowMs: number,
): GitopsIntent | undefined {
  const name = NAMES[wish];
  if (object !== undefined || name === undefined) return undefined;
  if (name === "consent" ? !isFullCommit(commit) : commit !== "") return undefined;
  const annotations = annotationsFor(name, { atMs: nowMs, commit, reason: "" });
  return annotations && { name, annotations, commit };
}
