"use client";
import { useMemo, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import type { ExportFormat } from "../export/export-format.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { tableFormats } from "../export/tables/table-formats.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import type { Column } from "./columns.tsx";
import { listColumns, resourcesOf } from "./list-table.ts";
import type { ListRow } from "./list-rows.ts";

/** The menu that makes files of the list: its filter, its order, its columns. */
export function ListExport({ rows, columns }: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  const store = useEnvironmentStore();
  const formats = useMemo<readonly ExportFormat[]>(
    () => tableFormats(() => ({ columns: listColumns(store, columns), rows: resourcesOf(rows, store) })),
    [store, rows, columns],
  );
  const hidden = (): readonly string[] => {
    const count = store.nodes.size - resourcesOf(rows, store).length;
    return count === 0 ? [] : [tLater("export/gap/hidden", { count })];
  };
  return <ExportMenu subject="list" formats={formats} gaps={hidden} />;
}
