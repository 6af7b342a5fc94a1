"use client";
import type { ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { PrintedTable } from "../print/printed-table.tsx";
import { usePrinting } from "../../ui/use-printing.ts";
import type { Column } from "./columns.tsx";
import { listColumns, resourcesOf } from "./list-table.ts";
import type { ListRow } from "./list-rows.ts";

/** The list on paper, complete: what is on the screen is a window of it. */
export function PrintedList(props: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  return usePrinting() && <Whole {...props} />;
}

function Whole({ rows, columns }: { readonly rows: readonly ListRow[]; readonly columns: readonly Column[] }): ReactNode {
  const store = useEnvironmentStore();
  const resources = resourcesOf(rows, store);
  const count = store.nodes.size - resources.length;
  return (
    <>
      {count > 0 && <p>{sayLater("export/gap/hidden", { count })}</p>}
      <PrintedTable table={{ columns: listColumns(store, columns), rows: resources }} label={sayLater("resource-list/resources")} />
    </>
  );
}
