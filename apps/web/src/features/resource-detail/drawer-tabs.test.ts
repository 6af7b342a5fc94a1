import { create } from "@bufbuild/protobuf";
import { EnvironmentSchema, ManagedBySchema, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { madeNode } from "../live/made-view.ts";
import { shownTabs, type TabContext } from "./drawer-tabs.ts";

const ENVIRONMENT = create(EnvironmentSchema, { terminal: true });

function tabsOf(node: Parameters<typeof madeNode>[0], context: Partial<TabContext> = {}): readonly string[] {
  return shownTabs({ node: madeNode({ presence: Presence.PRESENT, ...node }), inView: true, environment: ENVIRONMENT, ...context });
}

const POD = { id: "pod", ownerId: "set", ref: { group: "", kind: "Pod", resource: "pods", namespace: "shop", name: "web-1" } } as const;

test("a Pod has logs, and a terminal where the environment has terminals; its owner has the manifest", () => {
  expect(tabsOf(POD)).toEqual(["overview", "relations", "yaml", "events", "logs", "terminal"]);
  expect(tabsOf(POD, { environment: create(EnvironmentSchema, { terminal: false }) })).not.toContain("terminal");
  expect(tabsOf(POD, { environment: undefined })).not.toContain("terminal");
});

test("what has no owner, and what a tool applies directly, has a manifest", () => {
  const map = { id: "map", ref: { group: "", kind: "ConfigMap", resource: "configmaps", namespace: "shop", name: "settings" } };
  expect(tabsOf(map)).toEqual(["overview", "relations", "manifest", "yaml", "events"]);
  expect(tabsOf({ ...map, ownerId: "app" })).not.toContain("manifest");
  expect(tabsOf({ ...map, ownerId: "app", managedBy: create(ManagedBySchema, { tool: "argocd", direct: true }) })).toContain("manifest");
});

test("a Node of the cluster has no manifest, and no relations where the view does not have it", () => {
  const node = { id: "node", ref: { group: "", kind: "Node", resource: "nodes", namespace: "", name: "worker" } };
  expect(tabsOf(node)).toEqual(["overview", "relations", "yaml", "events"]);
  expect(tabsOf(node, { inView: false })).toEqual(["overview", "yaml", "events"]);
});
