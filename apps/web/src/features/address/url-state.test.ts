import { create } from "@bufbuild/protobuf";
import { ResourceRefSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { encodeUrlState, parseUrlState, selectionOf } from "./url-state.ts";

test("an address reads back what it was made of", () => {
  const state = {
    view: "list" as const,
    sel: "apps/deployments/shop/web",
    tab: "yaml",
    q: "a & b",
    namespaces: ["shop", "db"],
    kinds: ["Pod"],
    health: ["degraded", "none"],
    onlyProblems: true,
    managed: "direct",
    group: "kind",
    sort: "-restarts",
    columns: ["name", "age"],
    edges: "traffic",
    open: ["fold:of:apps/ReplicaSet/shop/web-7d9:Pod", "fold:of:rbac/Role//a,b%2Cc:Role"],
    tree: true,
    type: "Warning",
    reasons: ["Failed", "BackOff"],
    order: "warnings",
  };
  expect(parseUrlState(new URLSearchParams(encodeUrlState(state)))).toEqual(state);
});

test("defaults are left out, and an unknown view is the graph", () => {
  expect(encodeUrlState(parseUrlState(new URLSearchParams("view=nonsense")))).toBe("view=graph");
});

test("the core group is written core", () => {
  const ref = create(ResourceRefSchema, { kind: "Pod", resource: "pods", namespace: "shop", name: "web-0" });
  expect(selectionOf(ref)).toBe("core/pods/shop/web-0");
});
