import { create } from "@bufbuild/protobuf";
import { HealthStatus, ManagedBySchema, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import type { NodeFilter } from "../filter/node-filter.ts";
import { heldRows, keyOfRow, listRows, type ListRow, listColumns, resourcesOf } from "./list-rows.ts";
import { nextSort, sortOrderOf } from "./sort-order.ts";
import { madeNode } from "../live/made-view.ts";
import type { LiveNode } from "../live/live-node.ts";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { tLater } from "../../ui/messages.ts";
import { csvOf, jsonOf } from "@binnacle/presentation/export/table-files";
import { PrintedTable } from "../print/printed-table.tsx";
import { COLUMNS, type Column } from "./columns.tsx";

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

const ALL: NodeFilter = { q: "", namespaces: [], kinds: [], health: [], onlyProblems: false };

function node(kind: string, name: string, status: HealthStatus): LiveNode {
  return madeNode({
    id: `${kind}/${name}`,
    presence: Presence.PRESENT,
    ref: { kind, name, namespace: "shop" },
    health: { status, reason: status > 4 ? "CrashLoopBackOff" : "" },
    images: ["redis:7"],
  });
}

const NODES = [
  node("Pod", "b", HealthStatus.HEALTHY),
  node("Pod", "a", HealthStatus.DEGRADED),
  node("Deployment", "c", HealthStatus.HEALTHY),
];

function order(sort = "", grouped = false) {
  return { grouped, sort: sortOrderOf(sort), ownerOf: () => undefined };
}

function idsOf(filter: Partial<NodeFilter>): string[] {
  return listRows(NODES, { ...ALL, ...filter }, order()).map((row) => (row.type === "node" ? row.id : row.kind));
}

test("worst first, then kind and name", () => {
  expect(idsOf({})).toEqual(["Pod/a", "Deployment/c", "Pod/b"]);
});

test("filters by kind, health, problems and text, the reason and images too", () => {
  expect(idsOf({ kinds: ["Deployment"] })).toEqual(["Deployment/c"]);
  expect(idsOf({ health: ["degraded"] })).toEqual(["Pod/a"]);
  expect(idsOf({ onlyProblems: true })).toEqual(["Pod/a"]);
  expect(idsOf({ q: "crashloop" })).toEqual(["Pod/a"]);
  expect(idsOf({ q: "REDIS" })).toHaveLength(3);
  expect(idsOf({ namespaces: ["other"] })).toEqual([]);
});

test("tells what a tool applied from what was generated of it, and finds both by the tool's name for them", () => {
  const managed = (name: string, direct: boolean) => {
    const managedBy = create(ManagedBySchema, { tool: "argocd", name: "shop", direct });
    return madeNode({ ...node("Pod", name, HealthStatus.HEALTHY), id: name, managedBy });
  };
  const nodes = [managed("applied", true), managed("made", false), ...NODES];
  const ids = (filter: Partial<NodeFilter>) =>
    listRows(nodes, { ...ALL, ...filter }, order()).map((row) => (row.type === "node" ? row.id : row.kind));
  expect(ids({ managed: "direct" })).toEqual(["applied"]);
  expect(ids({ managed: "generated" })).toEqual(["made"]);
  expect(ids({ managed: "foreign" })).toHaveLength(3);
  expect(ids({ managed: "" })).toHaveLength(5);
  expect(ids({ q: "shop" })).toEqual(["applied", "made"]);
});

test("groups by kind with the number and the worst of each", () => {
  expect(listRows(NODES, ALL, order("", true))[0]).toEqual({ type: "group", kind: "Pod", count: 2, worst: HealthStatus.DEGRADED });
});

test("a press on a head sorts rising, then falling, then worst first again; what has no value is last either way", () => {
  const nodes = [
    ...NODES,
    madeNode({ ...node("Pod", "d", HealthStatus.HEALTHY), id: "d", restarts: 7, wanted: 2, ready: 1 }),
    madeNode({ ...node("Pod", "e", HealthStatus.HEALTHY), id: "e", restarts: 2, wanted: 4, ready: 1 }),
  ];
  const sorted = (sort: string) => listRows(nodes, ALL, order(sort)).map(keyOfRow);
  expect(sorted("-restarts").slice(0, 2)).toEqual(["d", "e"]);
  expect(sorted("ready").slice(0, 2)).toEqual(["e", "d"]);
  expect(sorted("-ready").slice(0, 2)).toEqual(["d", "e"]);
  expect(sorted("name")[0]).toBe("Pod/a");
  expect(sorted("-name")[0]).toBe("e");
  expect(sorted("nonsense")).toEqual(sorted(""));
  expect(nextSort(sortOrderOf(""), "age")).toBe("age");
  expect(nextSort(sortOrderOf("age"), "age")).toBe("-age");
  expect(nextSort(sortOrderOf("-age"), "age")).toBe("");
  expect(nextSort(sortOrderOf("age"), "health")).toBe("");
  expect(nextSort(sortOrderOf(""), "health")).toBe("-health");
});

test("while the pointer or the focus is among them rows stay where they are: removed rows go, new rows stand after their neighbor", () => {
  const rows = (text: string): readonly ListRow[] => Array.from(text, (id) => ({ type: "node", id }));
  const held = (before: string, now: string) => heldRows(rows(before), rows(now)).map(keyOfRow).join("");
  expect(held("abcd", "dcba")).toBe("abcd");
  expect(held("abcd", "dba")).toBe("abd");
  expect(held("abcd", "xdycbza")).toBe("xabzcdy");
  expect(held("", "ab")).toBe("ab");
  expect(held("ab", "")).toBe("");
});

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
