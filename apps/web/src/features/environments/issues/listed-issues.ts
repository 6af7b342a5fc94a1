import type { EnvironmentRow, IssueGroup } from "@binnacle/proto/dashboard";
import { NEWEST } from "../../address/url-state.ts";
import { byNewest, byWorst, isNew, isWanted, type IssueFilter } from "../../why/issue-filter.ts";
import type { KnownRow } from "../index-words.ts";
import type { RowKnowledge } from "../row-knowledge.ts";
import { nameOf } from "../row-order.ts";

/** An issue of one of many environments, or of a node that is to blame in several. */
export interface ListedIssue extends PlacedIssue {
  readonly kind: "issue";
  readonly key: string;
  /** Where else the same node is to blame for the same cause; empty for every other issue. */
  readonly elsewhere: readonly PlacedIssue[];
}

/** An issue of an environment. */
export interface PlacedIssue {
  readonly row: EnvironmentRow;
  readonly knowledge: RowKnowledge;
  readonly issue: IssueGroup;
}

/** An environment has more issues than are told. */
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
  /** Milliseconds since the epoch; 0 while nobody knows. */
  readonly nowMs: number;
}

/** Issues of many environments. */
export interface IssueList {
  /** Those that are wanted, in order; last of all, what is not told. */
  readonly lines: readonly (ListedIssue | UntoldIssues)[];
  /** How many of the lines are issues. */
  readonly shown: number;
  /** How many there are, whether or not they are told. */
  readonly total: number;
  /** How many environments have some. */
  readonly environments: number;
  /** How many of those that are told began within the last hour. */
  readonly fresh: number;
  /** Statuses that there are, as `statusKeyOf` gives them, are taken from these. */
  readonly told: readonly IssueGroup[];
}

/** All issues of the rows that may be seen. */
export function listIssues(rows: readonly KnownRow[], question: IssueQuestion): IssueList {
  const placed = rows.flatMap(({ row, knowledge }) =>
    knowledge.kind === "outside" ? [] : (row.health?.issues ?? []).map((issue) => ({ row, knowledge, issue })),
  );
  const filter = { ...question, kinds: [] };
  const isFresh = ({ issue }: PlacedIssue): boolean => isNew(issue, question.nowMs);
  const order = question.order === NEWEST ? byNewest : byWorst;
  const all = joinedByNode(placed, order);
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
    told: all.map(({ issue }) => issue),
  };
}

/** Issues that blame one node of one agent for one cause are one; the first in order stands for it. */
function joinedByNode(placed: readonly PlacedIssue[], order: typeof byWorst): readonly ListedIssue[] {
  return [...Map.groupBy(placed, keyOf)].flatMap(([key, members]) => {
    const [first, ...elsewhere] = members.toSorted(
      (left, right) => order(left.issue, right.issue) || (nameOf(left.row) < nameOf(right.row) ? -1 : 1),
    );
    return first === undefined ? [] : [{ kind: "issue", key, ...first, elsewhere }];
  });
}

function keyOf({ row, issue }: PlacedIssue): string {
  const agent = row.environment?.agentId ?? 0n;
  return JSON.stringify(issue.node === "" || agent === 0n ? [nameOf(row), issue.key] : ["", String(agent), issue.key]);
}

function untoldOf(row: EnvironmentRow): readonly UntoldIssues[] {
  const count = (row.health?.issuesTotal ?? 0) - (row.health?.issues.length ?? 0);
  return count > 0 ? [{ kind: "untold", key: JSON.stringify([nameOf(row)]), row, count }] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
