import type { EnvironmentHealth, IssueGroup } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { keyOfStatus, WORST_FIRST, wordOf } from "../live/health-status.ts";
import { nameOfRef } from "./why-words.ts";
import { said, say } from "../../ui/said.ts";
import { words, type Words } from "@binnacle/words";

/** Issues that are shown before somebody asks for more. */
const FIRST_ISSUES = 5;

const MOST_NAMES = 3;

/** A part of the list of resources: what is not named here stands there. Values of the address's filter. */
export interface ListFilter {
  readonly kinds: readonly string[];
  /** Words as `keyOfStatus` gives them. */
  readonly health: readonly string[];
}

/** "Deployment web: ImagePullBackOff", "a, b and c: NotFound", "a, b and 61 more: NotFound". The number is that of all members. */
export function titleOfIssue(issue: IssueGroup): string {
  const [first] = issue.members;
  if (issue.title !== undefined) return said(issue.title);
  if (isNodeIssue(issue)) return say("why/node-issue", { node: issue.node, extent: extentOfNodeIssue(issue) });
  if (first === undefined) return issue.reason;
  const who = issue.membersTotal > 1 ? namesOf(issue) : nameOfRef(first.ref);
  return say("why/title", { who, reason: reasonOfIssue(issue) });
}

/** Reasons of an issue whose node is not ready. */
const NODE_REASONS: ReadonlySet<string> = new Set(["NodeNotReady", "NodeLost"]);

/** Whether it is that a node is not ready: such an issue is called by the node. */
export function isNodeIssue({ node, reason }: Pick<IssueGroup, "node" | "reason">): boolean {
  return node !== "" && NODE_REASONS.has(reason);
}

/** How much is on a node that is not ready: its pods; the resources that are not well for it where the number of pods is not known. */
export function extentOfNodeIssue({ pods, morePods, membersTotal }: Pick<IssueGroup, "pods" | "morePods" | "membersTotal">): Words {
  if (pods === undefined) return words("why/counted/resources", { count: membersTotal });
  return words(morePods ? "why/counted/at-least-pods" : "why/counted/pods", { count: pods });
}

/** Who has it, by name: "web", "web and api", "web, api and 61 more". */
export function namesOf({ members, membersTotal }: IssueGroup): string {
  const names = members.slice(0, membersTotal > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES).map(({ ref }) => ref?.name ?? "");
  const rest = membersTotal - names.length;
  const last = rest > 0 ? say("why/more", { rest }) : (names.pop() ?? "");
  return names.length === 0 ? last : say("why/and", { names: names.join(", "), last });
}

/** The root reason, the stable word; the word of its status when the server gave none. */
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
  const order = issuesTotal === 1 ? "" : newest ? say("why/newest-first") : say("why/worst-first");
  const soFar = complete ? "" : say("why/so-far");
  const issues = words("why/counted/issues", { count: issuesTotal });
  return say("why/heading", { issues, soFar, order, resources: words("why/counted/resources", { count: resourcesTotal }) });
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
