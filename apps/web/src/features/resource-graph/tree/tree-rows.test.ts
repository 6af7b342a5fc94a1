import { HealthStatus, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { treeRows } from "./resource-tree.tsx";
import { madeNode } from "../../live/made-view.ts";
import type { LiveNode } from "../../live/live-node.ts";

function node(id: string, ownerId: string, worstBelow: HealthStatus): [string, LiveNode] {
  return [id, madeNode({ id, ownerId, worstBelow, presence: Presence.PRESENT, ref: { kind: "Pod", name: id } })];
}

const NODES = new Map([
  node("calm", "", HealthStatus.HEALTHY),
  node("calm-child", "calm", HealthStatus.HEALTHY),
  node("sick", "", HealthStatus.DEGRADED),
  node("sick-child", "sick", HealthStatus.DEGRADED),
]);

test("branches with a problem are open and come first; calm ones are closed", () => {
  expect(treeRows(NODES, new Set()).map((row) => [row.id, row.level, row.expanded])).toEqual([
    ["sick", 1, true],
    ["sick-child", 2, undefined],
    ["calm", 1, false],
  ]);
});

test("a person's choice turns a branch round", () => {
  expect(treeRows(NODES, new Set(["sick", "calm"])).map((row) => row.id)).toEqual(["sick", "calm", "calm-child"]);
});

test("a child whose owner is filtered away is a root", () => {
  const nodes = new Map([...NODES].filter(([id]) => id !== "sick"));
  expect(treeRows(nodes, new Set()).find((row) => row.id === "sick-child")?.level).toBe(1);
});
