import { Presence } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { said } from "../../ui/said.ts";
import type { TableColumn } from "../export/tables/table-files.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { reasonBeside, statusOf, wordOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { managerWords } from "../why/why-words.ts";
import type { ListRow } from "./list-rows.ts";

/** Columns of the list as they leave the page, with whole names and exact times. @param titles those that are shown, in their order */
export function listColumns(store: Pick<EnvironmentStore, "node">, titles: readonly string[]): readonly TableColumn<LiveNode>[] {
  const columns: readonly TableColumn<LiveNode>[] = [
    { key: "kind", title: "Kind", textOf: ({ ref }) => ref?.kind ?? "" },
    { key: "name", title: "Name", textOf: ({ ref }) => ref?.name ?? "" },
    { key: "namespace", title: "Namespace", textOf: ({ ref }) => ref?.namespace ?? "" },
    { key: "health", title: "Health", textOf: healthWords },
    { key: "ready", title: "Ready", textOf: readyWords },
    { key: "restarts", title: "Restarts", textOf: ({ restarts }) => Math.max(0, restarts) },
    { key: "createdAt", title: "Age", textOf: createdAt },
    { key: "owner", title: "Owner", textOf: ({ ownerId }) => store.node(ownerId)?.ref?.name ?? "" },
    { key: "images", title: "Images", textOf: ({ images }) => images.join(", ") },
    { key: "managedBy", title: "Managed by", textOf: managerOf },
  ];
  return titles.flatMap((title) => columns.find((column) => column.title === title) ?? []).map(createdTitle);
}

/** The resources of the rows, whatever heads stand between them. */
export function resourcesOf(rows: readonly ListRow[], store: Pick<EnvironmentStore, "node">): readonly LiveNode[] {
  return rows.flatMap((row) => (row.type === "node" ? (store.node(row.id) ?? []) : []));
}

/** An age is wrong a minute later: what leaves the page says when. */
function createdTitle(column: TableColumn<LiveNode>): TableColumn<LiveNode> {
  return column.title === "Age" ? { ...column, title: "Created" } : column;
}

function healthWords(node: LiveNode): string {
  if (node.presence === Presence.NOT_VISIBLE) return "Not visible";
  const reason = reasonBeside(node);
  return reason === "" ? wordOf(statusOf(node)) : `${wordOf(statusOf(node))}: ${reason}`;
}

function readyWords({ wanted, ready, factWords }: LiveNode): string {
  return wanted >= 0 ? `${Math.max(0, ready)}/${wanted}` : said(factWords);
}

function createdAt(node: LiveNode): string {
  return node.createdAt === undefined ? "" : new Date(millisOf(node.createdAt)).toISOString().replace(/\.\d+Z$/, "Z");
}

function managerOf({ managedBy }: LiveNode): string {
  return managedBy === undefined ? "" : `${managedBy.direct ? "" : "Generated, "}${managerWords(managedBy)}`;
}
