"use client";
import type { EnvironmentHealth, IssueGroup } from "@binnacle/proto/dashboard";
import { useMemo, type ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { tableFormats } from "../export/tables/table-formats.ts";
import { unsentIssues } from "./issue-words.ts";
import { issueColumns } from "./issues-table.ts";

/** The menu that makes files of the issues: those that the filter shows, in their order, also behind "show more". */
export function IssuesExport(props: { readonly health: EnvironmentHealth; readonly issues: readonly IssueGroup[] }): ReactNode {
  const { health, issues } = props;
  const formats = useMemo(() => tableFormats(() => ({ columns: issueColumns(), rows: issues })), [issues]);
  const gaps = (): readonly string[] => {
    const { count } = unsentIssues(health);
    const hidden = health.issues.length - issues.length;
    return [
      ...(hidden === 0 ? [] : [sayLater("export/gap/issues-hidden", { count: hidden })]),
      ...(count === 0 ? [] : [sayLater("export/gap/issues-unsent", { count })]),
    ];
  };
  return <ExportMenu subject="issues" formats={formats} gaps={gaps} />;
}
