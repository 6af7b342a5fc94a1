import type { IssueGroup } from "@binnacle/proto/dashboard";
import { messageText, t } from "../text/messages.ts";
import { keyOfStatus, WORST_FIRST, wordOf } from "./health-status.ts";
import { issueSinceMs, titleOfIssue } from "./issue-words.ts";

/** Where the filter finds issues that no status says. */
export const NOTICE = "notice";

/** Words of statuses that issues are found under, worst first. */
export const ISSUE_STATUSES: readonly string[] = [...WORST_FIRST.slice(0, 4).map(keyOfStatus), NOTICE];

/** Which issues are shown; an empty part does not filter. */
export interface IssueFilter {
  readonly q: string;
  /** Words as `statusKeyOf` gives them. */
  readonly health: readonly string[];
  readonly kinds: readonly string[];
}

/** The word under which the filter finds an issue. */
export function statusKeyOf({ notice, status }: Pick<IssueGroup, "notice" | "status">): string {
  return notice ? NOTICE : keyOfStatus(status);
}

/** "Degraded", "Notice": the word for people. */
export function statusWordOf(key: string): string {
  return key === NOTICE ? t("why/notice") : wordOf(WORST_FIRST.find((status) => keyOfStatus(status) === key) ?? 0);
}

/** Whether an issue matches; the search looks at what is read of it, at the stable word of its reason, and at the names of its members. @param also read beside it */
export function isWanted(issue: IssueGroup, { q, health, kinds }: IssueFilter, also = ""): boolean {
  if (health.length > 0 && !health.includes(statusKeyOf(issue))) return false;
  if (kinds.length > 0 && !issue.kinds.some((kind) => kinds.includes(kind))) return false;
  const wanted = q.trim().toLowerCase();
  if (wanted === "") return true;
  const texts = [
    also,
    titleOfIssue(issue),
    issue.reason,
    messageText(issue.words),
    ...issue.kinds,
    ...issue.members.map(({ ref }) => ref?.name ?? ""),
  ];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Worst first, then the earliest begin; notices follow all statuses, and unknown begins follow others of the same status. */
export function byWorst(left: IssueGroup, right: IssueGroup): number {
  return rankOf(right) - rankOf(left) || inOrder(issueSinceMs(left) ?? Infinity, issueSinceMs(right) ?? Infinity);
}

/** The latest begin first, then the worst; unknown begins come last. */
export function byNewest(left: IssueGroup, right: IssueGroup): number {
  return inOrder(issueSinceMs(right) ?? -Infinity, issueSinceMs(left) ?? -Infinity) || rankOf(right) - rankOf(left);
}

/** Whether an issue began within the last hour. @param nowMs milliseconds since the epoch; 0 while unknown */
export function isNew(issue: IssueGroup, nowMs: number): boolean {
  const sinceMs = issueSinceMs(issue);
  return sinceMs !== undefined && nowMs > 0 && nowMs - sinceMs <= HOUR_MS;
}

const HOUR_MS = 3_600_000;

function rankOf({ notice, status }: IssueGroup): number {
  return notice ? -1 : status;
}

function inOrder(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
