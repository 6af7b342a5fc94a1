import { Presence } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { said, sayLater } from "../../ui/said.ts";
import type { TableColumn } from "../export/tables/table-files.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { reasonBeside, statusOf, wordOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { managerWords } from "../why/why-words.ts";
import type { ListRow } from "./list-rows.ts";

/** Columns of the list as they leave the page, with whole names and exact times. @param titles those that are shown, in their order */
export function listColumns(store: Pick<EnvironmentStore, "node">, titles: readonly string[]): readonly TableColumn<LiveNode>[] {
  const columns: readonly TableColumn<LiveNode>[] = [
    { key: "kind", title: sayLater("resource-list/kind"), textOf: ({ ref }) => ref?.kind ?? "" },
    { key: "name", title: sayLater("resource-list/name"), textOf: ({ ref }) => ref?.name ?? "" },
    { key: "namespace", title: sayLater("resource-list/namespace"), textOf: ({ ref }) => ref?.namespace ?? "" },
    { key: "health", title: sayLater("resource-list/health"), textOf: healthWords },
    { key: "ready", title: sayLater("resource-list/ready"), textOf: readyWords },
    { key: "restarts", title: sayLater("resource-list/restarts"), textOf: ({ restarts }) => Math.max(0, restarts) },
    { key: "createdAt", title: sayLater("resource-list/age"), textOf: createdAt },
    { key: "owner", title: sayLater("resource-list/owner"), textOf: ({ ownerId }) => store.node(ownerId)?.ref?.name ?? "" },
    { key: "images", title: sayLater("resource-list/images"), textOf: ({ images }) => images.join(", ") },
    { key: "managedBy", title: sayLater("resource-list/managed-by"), textOf: managerOf },
  ];
  return titles.flatMap((title) => columns.find((column) => column.title === title) ?? []).map(createdTitle);
}

/** The resources of the rows, whatever heads stand between them. */
export function resourcesOf(rows: readonly ListRow[], store: Pick<EnvironmentStore, "node">): readonly LiveNode[] {
  return rows.flatMap((row) => (row.type === "node" ? (store.node(row.id) ?? []) : []));
}

/** An age is wrong a minute later: what leaves the page says when. */
function createdTitle(column: TableColumn<LiveNode>): TableColumn<LiveNode> {
  return column.key === "createdAt" ? { ...column, title: sayLater("resource-list/created") } : column;
}

function healthWords(node: LiveNode): string {
  if (node.presence === Presence.NOT_VISIBLE) return sayLater("resource-list/not-visible");
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
  return managedBy === undefined ? "" : `${managedBy.direct ? "" : sayLater("resource-list/generated")}${managerWords(managedBy)}`;
}
