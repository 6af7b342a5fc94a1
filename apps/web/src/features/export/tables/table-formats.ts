import type { ExportFormat } from "../export-format.ts";
import type { Table } from "@binnacle/presentation/export/table-files";
import { t } from "../../../ui/messages.ts";

/** The formats that a table can be exported as. @param tableOf called when a file is made */
export function tableFormats<Row>(tableOf: () => Table<Row>): readonly ExportFormat[] {
  return [
    {
      key: "csv",
      title: "CSV",
      does: t("export/csv-hint"),
      make: async (scope) => (await import("@binnacle/presentation/export/table-files")).csvOf(tableOf(), scope),
    },
    {
      key: "json",
      title: "JSON",
      does: t("export/json-hint"),
      make: async (scope) => (await import("@binnacle/presentation/export/table-files")).jsonOf(tableOf(), scope),
    },
  ];
}
