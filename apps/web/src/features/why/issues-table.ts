import type { IssueGroup } from "@binnacle/proto/dashboard";
import { said } from "../../ui/said.ts";
import type { TableColumn } from "../export/tables/table-files.ts";
import { statusKeyOf, statusWordOf } from "./issue-filter.ts";
import { issueSinceMs, reasonOfIssue, titleOfIssue } from "./issue-words.ts";
import { nameOfRef } from "./why-words.ts";

/** Columns of the issues as they leave the page: one row for each root cause, with the numbers of all its resources. */
export const ISSUE_COLUMNS: readonly TableColumn<IssueGroup>[] = [
  { key: "issue", title: "Issue", textOf: titleOfIssue },
  { key: "status", title: "Status", textOf: (issue) => statusWordOf(statusKeyOf(issue)) },
  { key: "reason", title: "Reason", textOf: reasonOfIssue },
  { key: "since", title: "Since", textOf: sinceOf },
  { key: "resources", title: "Resources", textOf: ({ membersTotal }) => membersTotal },
  { key: "message", title: "Message", textOf: ({ words }) => said(words) },
  { key: "next", title: "Next step", textOf: ({ next }) => said(next) },
  { key: "members", title: "Named resources", textOf: ({ members }) => members.map(({ ref }) => nameOfRef(ref)).join("; ") },
];

function sinceOf(issue: IssueGroup): string {
  const sinceMs = issueSinceMs(issue);
  return sinceMs === undefined ? "" : new Date(sinceMs).toISOString();
}
