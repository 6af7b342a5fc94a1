import type { IssueGroup } from "@binnacle/proto/dashboard";
import { said, sayLater } from "../../ui/said.ts";
import type { TableColumn } from "../export/tables/table-files.ts";
import { statusKeyOf, statusWordOf } from "./issue-filter.ts";
import { issueSinceMs, reasonOfIssue, titleOfIssue } from "./issue-words.ts";
import { nameOfRef } from "./why-words.ts";

/** Columns of the issues as they leave the page: one row for each root cause, with the numbers of all its resources. */
export function issueColumns(): readonly TableColumn<IssueGroup>[] {
  return [
    { key: "issue", title: sayLater("why/issue"), textOf: titleOfIssue },
    { key: "status", title: sayLater("why/status"), textOf: (issue) => statusWordOf(statusKeyOf(issue)) },
    { key: "reason", title: sayLater("why/reason"), textOf: reasonOfIssue },
    { key: "since", title: sayLater("why/column-since"), textOf: sinceOf },
    { key: "resources", title: sayLater("why/column-resources"), textOf: ({ membersTotal }) => membersTotal },
    { key: "message", title: sayLater("why/message"), textOf: ({ words }) => said(words) },
    { key: "next", title: sayLater("why/column-next"), textOf: ({ next }) => said(next) },
    {
      key: "members",
      title: sayLater("why/named-resources"),
      textOf: ({ members }) => members.map(({ ref }) => nameOfRef(ref)).join("; "),
    },
  ];
}

function sinceOf(issue: IssueGroup): string {
  const sinceMs = issueSinceMs(issue);
  return sinceMs === undefined ? "" : new Date(sinceMs).toISOString();
}
