"use client";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import type { Table } from "@binnacle/presentation/export/table-files";
import styles from "./print.module.css";

/** So many rows go to paper; more would be a book, and freeze the page. */
const MAX_ROWS = 10_000;

/** A table as it goes to paper: every row and every column that is shown, whatever is on the screen. */
export function PrintedTable<Row extends { readonly id: string }>({
  table,
  label,
}: {
  readonly table: Table<Row>;
  readonly label: string;
}): ReactNode {
  const { columns, rows } = table;
  return (
    <>
      <table className={styles["table"]} data-printed="table">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => (
            <tr key={row.id}>
              {columns.map(({ key, textOf }) => (
                <td key={key} data-column={key}>
                  {textOf(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && <p>{tLater("export/print/cut", { shown: MAX_ROWS, total: rows.length })}</p>}
    </>
  );
}
