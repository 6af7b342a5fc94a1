import type { EnvironmentRow, IssueGroup } from "@binnacle/proto/dashboard";
import { NEWEST } from "../../address/url-state.ts";
import { byNewest, byWorst, isNew, isWanted, type IssueFilter } from "../../why/issue-filter.ts";
import type { KnownRow } from "../index-words.ts";
import type { RowKnowledge } from "../row-knowledge.ts";
import { nameOf } from "../row-order.ts";

/** An issue of one of many environments. */
export interface ListedIssue {
  readonly kind: "issue";
  readonly key: string;
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
  const all = rows.flatMap(({ row, knowledge }) =>
    knowledge.kind === "outside" ? [] : (row.health?.issues ?? []).map((issue) => listedOf(issue, row, knowledge)),
  );
  const filter = { ...question, kinds: [] };
  const isFresh = ({ issue }: ListedIssue): boolean => isNew(issue, question.nowMs);
  const wanted = all.filter((each) => isWanted(each.issue, filter, nameOf(each.row)) && (!question.onlyNew || isFresh(each)));
  const order = question.order === NEWEST ? byNewest : byWorst;
  wanted.sort((left, right) => order(left.issue, right.issue) || (left.key < right.key ? -1 : 1));
  const known = rows.filter(({ row, knowledge }) => knowledge.kind !== "outside" && row.health !== undefined);
  return {
    lines: [...wanted, ...known.flatMap(({ row }) => untoldOf(row))],
    shown: wanted.length,
    total: sum(known.map(({ row }) => row.health?.issuesTotal ?? 0)),
    environments: known.filter(({ row }) => (row.health?.issuesTotal ?? 0) > 0).length,
    fresh: all.filter(isFresh).length,
    told: all.map(({ issue }) => issue),
  };
}

function listedOf(issue: IssueGroup, row: EnvironmentRow, knowledge: RowKnowledge): ListedIssue {
  return { kind: "issue", key: JSON.stringify([nameOf(row), issue.key]), row, knowledge, issue };
}

function untoldOf(row: EnvironmentRow): readonly UntoldIssues[] {
  const count = (row.health?.issuesTotal ?? 0) - (row.health?.issues.length ?? 0);
  return count > 0 ? [{ kind: "untold", key: JSON.stringify([nameOf(row)]), row, count }] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
