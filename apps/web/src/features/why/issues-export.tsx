"use client";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { useMemo, type ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { tableFormats } from "../export/tables/table-formats.ts";
import { unsentIssues } from "./issue-words.ts";
import { issueColumns } from "./issues-table.ts";

/** The menu that makes files of the issues. */
export function IssuesExport({ health }: { readonly health: EnvironmentHealth }): ReactNode {
  const formats = useMemo(() => tableFormats(() => ({ columns: issueColumns(), rows: health.issues })), [health]);
  const gaps = (): readonly string[] => {
    const { count } = unsentIssues(health);
    return count === 0 ? [] : [sayLater("export/gap/issues-unsent", { count })];
  };
  return <ExportMenu subject="issues" formats={formats} gaps={gaps} />;
}
