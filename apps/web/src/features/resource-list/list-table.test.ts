import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { HealthStatus, ManagedBySchema, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { csvOf } from "../export/tables/table-files.ts";
import { madeNode } from "../live/made-view.ts";
import type { LiveNode } from "../live/live-node.ts";
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
const STORE = { node: (id: string): LiveNode | undefined => [OWNER, EVIL].find((node) => node.id === id) };
const ALL = ["Kind", "Name", "Namespace", "Health", "Ready", "Restarts", "Age", "Owner", "Images", "Managed by"];

test("a row leaves the page with whole names and exact times, and nothing in it is a formula", async () => {
  const rows = resourcesOf(
    [
      { type: "group", kind: "Pod", count: 1, worst: 5 },
      { type: "node", id: "evil" },
      { type: "node", id: "gone" },
    ],
    STORE,
  );
  const text = await (await csvOf({ columns: listColumns(STORE, ALL), rows }, { filters: [] })).content.text();
  const [head = "", row = "", ...more] = text.split("\r\n");
  expect(head).toBe("Kind,Name,Namespace,Health,Ready,Restarts,Created,Owner,Images,Managed by");
  expect(row).toContain(
    `'=1+1,"'@SUM(1)"",""x",'+shop,Degraded: CrashLoopBackOff,1/3,7,2026-01-02T03:04:05Z,web-7d9c,"registry.example/shop/web:1, -evil",`,
  );
  expect(row).toMatch(/Created by controllers, .*shop/);
  expect(more).toEqual([""]);
});

test("only the columns that are shown leave, in their order", () => {
  expect(listColumns(STORE, ["Health", "Name", "Nonsense"]).map(({ key }) => key)).toEqual(["health", "name"]);
});
