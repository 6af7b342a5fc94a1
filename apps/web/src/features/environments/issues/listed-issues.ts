import type { EnvironmentRow, IssueGroup } from "@binnacle/proto/dashboard";
import { NEWEST } from "../../address/url-state.ts";
import { byNewest, byWorst, isNew, isWanted, type IssueFilter } from "@binnacle/presentation/health/issue-filter";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { nameOf } from "@binnacle/presentation/environments/row-order";

/** An issue of one of many environments, or of a node that is to blame in several. */
export interface ListedIssue extends PlacedIssue {
  readonly kind: "issue";
  readonly key: string;
  /** Where else the same node is to blame for the same cause; empty for every other issue. */
  readonly elsewhere: readonly PlacedIssue[];
  /** Of an issue with a node: pods on it in all of its environments; absent: not known in any of them. */
  readonly pods: NodePods | undefined;
}

/** Pods on a node, in environments that the viewer may see. */
interface NodePods {
  readonly count: number;
  /** There may be more: not everything is known of an environment with the same agent. */
  readonly atLeast: boolean;
}

/** An issue of an environment. */
export interface PlacedIssue {
  readonly row: EnvironmentRow;
  readonly knowledge: RowKnowledge;
  readonly issue: IssueGroup;
}

/** An environment has more issues than are listed. */
export interface UntoldIssues {
  readonly kind: "untold";
  readonly key: string;
  readonly row: EnvironmentRow;
  readonly count: number;
}

/** Which issues are wanted, and in which order. */
export interface IssueQuestion extends Omit<IssueFilter, "kinds"> {
  readonly onlyNew: boolean;
  readonly order: string;
  /** Milliseconds since the epoch; 0 while unknown. */
  readonly nowMs: number;
}

/** Issues of many environments. */
export interface IssueList {
  /** Those that are wanted, in order; last, the environments with unlisted issues. */
  readonly lines: readonly (ListedIssue | UntoldIssues)[];
  /** How many of the lines are issues. */
  readonly shown: number;
  /** How many there are, listed or not. */
  readonly total: number;
  /** How many environments have some. */
  readonly environments: number;
  /** How many of the listed ones began within the last hour. */
  readonly fresh: number;
  /** Statuses that there are, as `statusKeyOf` gives them, are taken from these. */
  readonly listed: readonly IssueGroup[];
}

/** All issues of the rows that may be seen. */
export function listIssues(rows: readonly KnownRow[], question: IssueQuestion): IssueList {
  const placed = rows.flatMap(({ row, knowledge }) =>
    knowledge.kind === "outside" ? [] : (row.health?.issues ?? []).map((issue) => ({ row, knowledge, issue })),
  );
  const filter = { ...question, kinds: [] };
  const isFresh = ({ issue }: PlacedIssue): boolean => isNew(issue, question.nowMs);
  const order = question.order === NEWEST ? byNewest : byWorst;
  const all = joinedByNode(placed, order, rows);
  const isMatch = (each: PlacedIssue): boolean => isWanted(each.issue, filter, nameOf(each.row));
  const wanted = all.filter(
    (each) => [each, ...each.elsewhere].some(isMatch) && (!question.onlyNew || [each, ...each.elsewhere].some(isFresh)),
  );
  wanted.sort((left, right) => order(left.issue, right.issue) || (left.key < right.key ? -1 : 1));
  const known = rows.filter(({ row, knowledge }) => knowledge.kind !== "outside" && row.health !== undefined);
  return {
    lines: [...wanted, ...known.flatMap(({ row }) => untoldOf(row))],
    shown: wanted.length,
    total: sum(known.map(({ row }) => row.health?.issuesTotal ?? 0)) - (placed.length - all.length),
    environments: known.filter(({ row }) => (row.health?.issuesTotal ?? 0) > 0).length,
    fresh: all.filter(isFresh).length,
    listed: all.map(({ issue }) => issue),
  };
}

/** Issues that blame one node of one agent for one cause are one; the first in order stands for it. */
function joinedByNode(placed: readonly PlacedIssue[], order: typeof byWorst, rows: readonly KnownRow[]): readonly ListedIssue[] {
  const partlyKnown = Map.groupBy(rows.filter(isPartlyKnown), ({ row }) => agentOf(row));
  return [...Map.groupBy(placed, keyOf)].flatMap(([key, members]) => {
    const [first, ...elsewhere] = members.toSorted(
      (left, right) => order(left.issue, right.issue) || (nameOf(left.row) < nameOf(right.row) ? -1 : 1),
    );
    if (first === undefined) return [];
    const agent = agentOf(first.row);
    const beside = agent === 0n ? [] : (partlyKnown.get(agent) ?? []);
    return [{ kind: "issue", key, ...first, elsewhere, pods: podsOf(members, beside) }];
  });
}

/**
 * Environments that show the same part of a cluster have the same pods, which are counted once.
 *
 * @param partlyKnown environments of the agent that may have pods on the node though they have no such issue
 */
function podsOf(members: readonly PlacedIssue[], partlyKnown: readonly KnownRow[]): NodePods | undefined {
  const counted = members.filter(({ issue }) => issue.node !== "" && issue.pods !== undefined);
  if (counted.length === 0) return undefined;
  const ofParts = new Map(counted.map(({ row, issue }) => [partOf(row), issue.pods ?? 0]));
  const own = new Set(members.map(({ row }) => row));
  const isCut = counted.length < members.length || counted.some(({ issue }) => issue.morePods);
  return { count: sum([...ofParts.values()]), atLeast: isCut || partlyKnown.some(({ row }) => !own.has(row)) };
}

/** Whether an environment may have pods on a node that is not ready without an issue that shows it. */
function isPartlyKnown({ row, knowledge }: KnownRow): boolean {
  const { health } = row;
  if (knowledge.kind === "outside" || knowledge.kind === "unknown" || health === undefined) return true;
  return health.issuesTotal > health.issues.length || health.hidden.includes("pods");
}

function agentOf({ environment }: EnvironmentRow): bigint {
  return environment?.agentId ?? 0n;
}

/** Names the part of a cluster that an environment shows. */
function partOf({ environment }: EnvironmentRow): string {
  return JSON.stringify([environment?.namespace, environment?.scopeId, environment?.namespace === "" ? environment.name : ""]);
}

function keyOf({ row, issue }: PlacedIssue): string {
  const agent = agentOf(row);
  return JSON.stringify(issue.node === "" || agent === 0n ? [nameOf(row), issue.key] : ["", String(agent), issue.key]);
}

function untoldOf(row: EnvironmentRow): readonly UntoldIssues[] {
  const count = (row.health?.issuesTotal ?? 0) - (row.health?.issues.length ?? 0);
  return count > 0 ? [{ kind: "untold", key: JSON.stringify([nameOf(row)]), row, count }] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
