import type { ExportFormat } from "../export-format.ts";
import type { Table } from "./table-files.ts";
import { t } from "../../../ui/messages.ts";

/** What a table can leave the page as. @param tableOf asked when one is made */
export function tableFormats<Row>(tableOf: () => Table<Row>): readonly ExportFormat[] {
  return [
    {
      key: "csv",
      title: "CSV",
      does: t("export/csv-hint"),
      make: async (scope) => (await import("./table-files.ts")).csvOf(tableOf(), scope),
    },
    {
      key: "json",
      title: "JSON",
      does: t("export/json-hint"),
      make: async (scope) => (await import("./table-files.ts")).jsonOf(tableOf(), scope),
    },
  ];
}
