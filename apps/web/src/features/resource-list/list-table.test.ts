import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { HealthStatus, ManagedBySchema, Presence } from "@binnacle/proto/dashboard";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { tLater } from "../../ui/messages.ts";
import { csvOf, jsonOf } from "../export/tables/table-files.ts";
import { madeNode } from "../live/made-view.ts";
import type { LiveNode } from "../live/live-node.ts";
import { PrintedTable } from "../print/printed-table.tsx";
import { COLUMNS, type Column } from "./columns.tsx";
import { listColumns, resourcesOf } from "./list-table.ts";

const OWNER = madeNode({ id: "owner", ref: { kind: "ReplicaSet", name: "web-7d9c" }, presence: Presence.PRESENT });
const EVIL = madeNode({
  id: "evil",
  ownerId: "owner",
  ref: { kind: "=1+1", name: '@SUM(1)","x', namespace: "+shop" },
  presence: Presence.PRESENT,
  health: { status: HealthStatus.DEGRADED, reason: "CrashLoopBackOff" },
  wanted: 3,
  ready: 1,
  restarts: 7,
  createdAt: timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  images: ["registry.example/shop/web:1", "-evil"],
  managedBy: create(ManagedBySchema, { tool: "argocd", name: "shop", direct: false }),
});
const SCOPE = {
  subject: "list",
  project: "",
  environment: "",
  part: "",
  filters: [],
  asOfMs: 0,
  asOf: "",
  connection: "",
  gaps: [],
} as const;
const STORE = { node: (id: string): LiveNode | undefined => [OWNER, EVIL].find((node) => node.id === id) };
test("a row leaves the page with whole names and exact times, and nothing in it is a formula", async () => {
  const rows = resourcesOf(
    [
      { type: "group", kind: "Pod", count: 1, worst: 5 },
      { type: "node", id: "evil" },
      { type: "node", id: "gone" },
    ],
    STORE,
  );
  const text = await (await csvOf({ columns: listColumns(STORE, COLUMNS), rows }, { filters: [] })).content.text();
  const [head = "", row = "", ...more] = text.split("\r\n");
  expect(head).toBe("Kind,Name,Namespace,Health,Ready,Restarts,Created,Owner,Images,Managed by");
  expect(row).toContain(
    `'=1+1,"'@SUM(1)"",""x",'+shop,Degraded: CrashLoopBackOff,1/3,7,2026-01-02T03:04:05Z,web-7d9c,"registry.example/shop/web:1, -evil",`,
  );
  expect(row).toMatch(/Created by controllers, .*shop/);
  expect(more).toEqual([""]);
});

test("only the columns that are shown leave, in their order", () => {
  const shown = COLUMNS.filter(({ key }) => key === "name" || key === "health");
  expect(listColumns(STORE, shown).map(({ key }) => key)).toEqual(["name", "health"]);
});

test("every column of the list is in CSV, in JSON and on paper, in its place and with a value", async () => {
  const table = { columns: listColumns(STORE, COLUMNS), rows: [EVIL] };
  const titles = COLUMNS.map(({ title, exported }: Column) => tLater(exported.title ?? title));
  const [head = ""] = (await (await csvOf(table, { filters: [] })).content.text()).replace("\uFEFF", "").split("\r\n");
  expect(head.split(",")).toEqual(titles);
  const paper = renderToStaticMarkup(createElement(PrintedTable<LiveNode>, { table, label: "Resources" }));
  expect([...paper.matchAll(/<th scope="col">([^<]+)</g)].map(([, title]) => title)).toEqual(titles);
  expect([...paper.matchAll(/data-column="(\w+)">([^<]*)/g)].map(([, key, text]) => [key, text !== ""])).toEqual(
    COLUMNS.map(({ exported }) => [exported.key, true]),
  );
  const json = JSON.parse(await (await jsonOf(table, SCOPE)).content.text()) as { readonly rows: readonly object[] };
  expect(json.rows.map(Object.keys)).toEqual([
    ["kind", "name", "namespace", "health", "ready", "restarts", "createdAt", "owner", "images", "managedBy"],
  ]);
});
