import type { EnvironmentHealth, IssueGroup, ResourceRef } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { drawnName } from "../text/drawn-name.ts";
import { millisOf } from "../text/format-time.ts";
import { shortenMiddle } from "../text/shorten-middle.ts";
import { keyOfStatus, WORST_FIRST, wordOf } from "./health-status.ts";
import { nameOfRef } from "./why-words.ts";
import { messageText, t } from "../text/messages.ts";
import { words, type Words } from "@binnacle/words";

/** The number of issues that are shown before the user requests more. */
const FIRST_ISSUES = 5;

const MAX_NAMES = 3;

/** A part of the list of resources: what is not named here stands there. Values of the address's filter. */
export interface ListFilter {
  readonly kinds: readonly string[];
  /** Words as `keyOfStatus` gives them. */
  readonly health: readonly string[];
}

/** What an issue is called: "Deployment web: image cannot be pulled", "a, b and 61 more: node not ready". The number is that of all members. */
export function titleOfIssue(issue: IssueGroup): string {
  return titleWith(issue, Infinity);
}

/** The same for a narrow place: longer names lose their middle, so that the reason has room beside them. */
export function shortTitleOfIssue(issue: IssueGroup): string {
  return titleWith(issue, SHORT_NAME_CHARS);
}

const SHORT_NAME_CHARS = 28;

function titleWith(issue: IssueGroup, maxNameChars: number): string {
  const [first] = issue.members;
  if (issue.title !== undefined) return messageText(issue.title);
  if (isNodeIssue(issue)) return t("why/node-issue", { node: issue.node, extent: extentOfNodeIssue(issue) });
  if (first === undefined) return reasonTextOf(issue);
  const who = issue.membersTotal > 1 ? namesWith(issue, maxNameChars) : nameOfRef(shortened(first.ref, maxNameChars));
  return t("why/title", { who, reason: reasonTextOf(issue) });
}

/** The root reason in a few words. A server of an earlier release sends none: its stable word is quoted. */
function reasonTextOf(issue: IssueGroup): string {
  const { reason, reasonWords } = issue;
  if (reasonWords !== undefined) return messageText(reasonWords);
  return reason === "" ? wordOf(issue.status) : t("why/quoted-reason", { reason });
}

function shortened(ref: ResourceRef | undefined, maxChars: number): ResourceRef | undefined {
  return ref && maxChars < Infinity ? { ...ref, name: shortenMiddle(drawnName(ref.name), maxChars) } : ref;
}

/** Reasons of an issue whose node is not ready. */
const NODE_REASONS: ReadonlySet<string> = new Set(["NodeNotReady", "NodeLost"]);

/** Whether it is that a node is not ready: such an issue is called by the node. */
export function isNodeIssue({ node, reason }: Pick<IssueGroup, "node" | "reason">): boolean {
  return node !== "" && NODE_REASONS.has(reason);
}

/** How much is on a node that is not ready: its pods; the resources that are not well for it where the number of pods is not known. */
export function extentOfNodeIssue({ pods, morePods, membersTotal }: Pick<IssueGroup, "pods" | "morePods" | "membersTotal">): Words {
  if (pods === undefined) return words("ui/resource-count", { count: membersTotal });
  return words(morePods ? "why/counted/at-least-pods" : "ui/pod-count", { count: pods });
}

/** Who has it, by name: "web", "web and api", "web, api and 61 more". */
export function namesOf(issue: IssueGroup): string {
  return namesWith(issue, Infinity);
}

function namesWith({ members, membersTotal }: IssueGroup, maxNameChars: number): string {
  const shown = members.slice(0, membersTotal > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
  const names = shown.map(({ ref }) => shortened(ref, maxNameChars)?.name ?? "");
  const rest = membersTotal - names.length;
  const last = rest > 0 ? t("why/more", { rest }) : (names.pop() ?? "");
  return names.length === 0 ? last : t("why/and", { names: names.join(", "), last });
}

/** The root reason for machines, the stable word; the word of its status when the server gave none. */
export function reasonOfIssue({ reason, status }: IssueGroup): string {
  return reason === "" ? wordOf(status) : reason;
}

/** Since when it is so, milliseconds since the epoch. */
export function issueSinceMs({ since }: IssueGroup): number | undefined {
  return since === undefined ? undefined : millisOf(since);
}

/**
 * "12 issues, worst first: 61 resources", with the numbers of all, whatever has come.
 *
 * @param complete every kind has been read once; before that there may be more
 */
export function issuesHeading({ issuesTotal, resourcesTotal }: EnvironmentHealth, complete: boolean, newest = false): string {
  return t("why/heading", {
    issues: words("ui/issue-count", { count: issuesTotal }),
    state: complete ? "complete" : "partial",
    order: issuesTotal === 1 ? "none" : newest ? "newest" : "worst",
    resources: words("ui/resource-count", { count: resourcesTotal }),
  });
}

/** The issues to show now, and how many more of those that came there are behind the button. */
export function shownIssues(issues: readonly IssueGroup[], all: boolean): { readonly shown: readonly IssueGroup[]; readonly more: number } {
  // A button that shows a single one takes as much room as the one.
  const shown = all || issues.length <= FIRST_ISSUES + 1 ? issues : issues.slice(0, FIRST_ISSUES);
  return { shown, more: issues.length - shown.length };
}

/** What the server has counted and not sent: how many issues, and the part of the list in which their resources stand. */
export function unsentIssues({ issues, issuesTotal, counts }: EnvironmentHealth): { readonly count: number; readonly filter: ListFilter } {
  const there = new Set(counts.filter(({ count }) => count > 0).map(({ status }) => status));
  // The last that came says how bad those after it are at most; one that was broken may have been put in its place.
  const worst = Math.max(...issues.slice(-2).map(({ status }) => status), HealthStatus.UNSPECIFIED);
  return { count: Math.max(0, issuesTotal - issues.length), filter: { kinds: [], health: unwellUpTo(worst, there) } };
}

/** Members of an issue that are not named: how many, and the part of the list in which they stand. */
export function unnamedMembers({ members, membersTotal, kinds }: IssueGroup): { readonly count: number; readonly filter: ListFilter } {
  const worst = members.at(-1)?.status ?? HealthStatus.UNKNOWN;
  return { count: Math.max(0, membersTotal - members.length), filter: { kinds, health: unwellUpTo(worst) } };
}

/** "Degraded, Progressing": the words of a filter. */
export function wordsOfFilter({ health }: ListFilter): string {
  return WORST_FIRST.filter((status) => health.includes(keyOfStatus(status)))
    .map(wordOf)
    .join(", ");
}

/** Statuses that are not well and not worse than this one, worst first. */
function unwellUpTo(worst: number, there?: ReadonlySet<number>): readonly string[] {
  const unwell = WORST_FIRST.filter((status) => status !== HealthStatus.HEALTHY && status <= worst && (there?.has(status) ?? true));
  return unwell.map(keyOfStatus);
}
