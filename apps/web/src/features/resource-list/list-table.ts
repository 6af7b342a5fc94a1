import { tLater } from "../../ui/messages.ts";
import type { TableColumn } from "../export/tables/table-files.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import type { LiveNode } from "../live/live-node.ts";
import type { Column } from "./columns.tsx";
import type { ListRow } from "./list-rows.ts";

/** Columns of the list as they leave the page, in the same order, with full names and exact times. */
export function listColumns(store: Pick<EnvironmentStore, "node">, columns: readonly Column[]): readonly TableColumn<LiveNode>[] {
  const ownerOf = (node: LiveNode): LiveNode | undefined => store.node(node.ownerId);
  return columns.map(({ title, exported }) => ({
    key: exported.key,
    title: tLater(exported.title ?? title),
    textOf: (node) => exported.textOf(node, ownerOf),
  }));
}

/** The resources of the rows, whatever heads stand between them. */
export function resourcesOf(rows: readonly ListRow[], store: Pick<EnvironmentStore, "node">): readonly LiveNode[] {
  return rows.flatMap((row) => (row.type === "node" ? (store.node(row.id) ?? []) : []));
}
