import { create } from "@bufbuild/protobuf";
import { HealthStatus, ManagedBySchema, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import type { NodeFilter } from "../filter/node-filter.ts";
import { listRows } from "./list-rows.ts";
import { madeNode } from "../live/made-view.ts";
import type { LiveNode } from "../live/live-node.ts";

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

function idsOf(filter: Partial<NodeFilter>): string[] {
  return listRows(NODES, { ...ALL, ...filter }, false).map((row) => (row.type === "node" ? row.id : row.kind));
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
    listRows(nodes, { ...ALL, ...filter }, false).map((row) => (row.type === "node" ? row.id : row.kind));
  expect(ids({ managed: "direct" })).toEqual(["applied"]);
  expect(ids({ managed: "generated" })).toEqual(["made"]);
  expect(ids({ managed: "foreign" })).toHaveLength(3);
  expect(ids({ managed: "" })).toHaveLength(5);
  expect(ids({ q: "shop" })).toEqual(["applied", "made"]);
});

test("groups by kind with the number and the worst of each", () => {
  expect(listRows(NODES, ALL, true)[0]).toEqual({ type: "group", kind: "Pod", count: 2, worst: HealthStatus.DEGRADED });
});
