import { create } from "@bufbuild/protobuf";
import { ResourceRefSchema } from "@binnacle/proto/dashboard";
import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_LOGS_STATE } from "./logs-state.ts";
import { changedUrlState, encodeUrlState, parseUrlState, selectionOf } from "./url-state.ts";

test("an address reads back what it was made of", () => {
  const state = {
    view: "graph" as const,
    sel: "apps/deployments/shop/web",
    tab: "yaml" as const,
    full: "",
    line: "12-20",
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
    unfolded: ["issues", "Pod/a,b%2Cc"],
    at: "3.5,-12,80",
    around: "3,apps/deployments/shop/web",
    tree: false,
    type: "Warning",
    reasons: ["Failed", "BackOff"],
    order: "warnings",
    logs: NO_LOGS_STATE,
  };
  expect(parseUrlState(new URLSearchParams(encodeUrlState(state)))).toEqual(state);
});

test("an unknown tab is the overview, and leaves the address with the next change", () => {
  for (const tab of ["settings", "toString", "YAML", ""]) {
    const state = parseUrlState(new URLSearchParams({ view: "list", sel: "core/pods/shop/web", tab }));
    expect(state.tab).toBe("overview");
    expect(encodeUrlState(state)).toBe("view=list&sel=core/pods/shop/web");
  }
});

test("a terminal fills the page with the tab of its pod only", () => {
  const page = "view=list&sel=core/pods/shop/web&tab=terminal&full=app";
  const state = parseUrlState(new URLSearchParams(page));
  expect(state.full).toBe("app");
  expect(encodeUrlState(state)).toBe(page);
  for (const query of [
    "view=list&full=app",
    "view=list&sel=core/pods/shop/web&full=app",
    "view=list&sel=core/pods/shop/web&tab=yaml&full=app",
    "view=list&sel=apps/deployments/shop/web&tab=terminal&full=app",
  ])
    expect(parseUrlState(new URLSearchParams(query)).full, query).toBe("");
  expect(changedUrlState(state, { q: "x" }).full).toBe("app");
  expect(changedUrlState(state, { tab: "terminal", sel: state.sel }).full).toBe("app");
  expect(changedUrlState(state, { tab: "yaml" }).full).toBe("");
  expect(changedUrlState(state, { sel: "core/pods/shop/other" }).full).toBe("");
});

test("R3: a resource of any name is selected by its address", () => {
  const name = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.isWellFormed() && !/[/%]/.test(text));
  fc.assert(
    fc.property(name, (text) => {
      const sel = `rbac.authorization.k8s.io/roles/shop/${text}`;
      const { search } = new URL(`http://web/?${encodeUrlState({ ...parseUrlState(new URLSearchParams()), sel })}`);
      expect(parseUrlState(new URLSearchParams(search)).sel).toBe(sel);
    }),
  );
});

test("a tree and a list have no place", () => {
  const at = parseUrlState(new URLSearchParams("view=graph&at=1,2,100"));
  expect(encodeUrlState(at)).toBe("view=graph&at=1,2,100");
  expect(encodeUrlState({ ...at, tree: true })).toBe("view=graph&as=tree");
  expect(encodeUrlState({ ...at, view: "list" })).toBe("view=list");
});

test.each(["", "1,2", "1,2,3,4", "1,2,1", "1,2,201", "1,2,1e2", "1,2,NaN", "1000,2,80", "1.25,2,80", "1,2,80 ", "Infinity,0,100", "<b>"])(
  "%j is no place",
  (at) => {
    expect(parseUrlState(new URLSearchParams({ at })).at).toBe("");
  },
);

test("defaults are left out, and an unknown view is the graph", () => {
  expect(encodeUrlState(parseUrlState(new URLSearchParams("view=nonsense")))).toBe("view=graph");
});

test("lines are those of the YAML of one resource: they go with its tab and with it", () => {
  const at = parseUrlState(new URLSearchParams("view=list&sel=core/pods/shop/web&tab=yaml&line=7"));
  expect(at.line).toBe("7");
  expect(encodeUrlState({ ...at, tab: "events" })).not.toContain("line");
  expect(changedUrlState(at, { sel: "core/pods/shop/other" }).line).toBe("");
  expect(changedUrlState(at, { sel: at.sel, q: "x" }).line).toBe("7");
});

test.each(["", "x", "-1", "1-", "1-2-3", "99999999", "1.5", "<b>"])("%j names no lines", (line) => {
  expect(parseUrlState(new URLSearchParams({ line })).line).toBe("");
});

test("the core group is written core", () => {
  const ref = create(ResourceRefSchema, { kind: "Pod", resource: "pods", namespace: "shop", name: "web-0" });
  expect(selectionOf(ref)).toBe("core/pods/shop/web-0");
});

test("what is read of logs is in the address where logs are shown, and goes with the resource", () => {
  const logs = { ...NO_LOGS_STATE, since: "1h", find: "oops" };
  const state = { ...parseUrlState(new URLSearchParams()), sel: "core/pods/shop/web", tab: "logs" as const, logs };
  expect(parseUrlState(new URLSearchParams(encodeUrlState(state))).logs).toEqual(logs);
  expect(encodeUrlState({ ...state, tab: "yaml" })).not.toContain("oops");
  expect(changedUrlState(state, { sel: "core/pods/shop/db" }).logs).toEqual(NO_LOGS_STATE);
  expect(changedUrlState(state, { q: "x" }).logs).toEqual(logs);
  expect(changedUrlState(state, { sel: "core/pods/shop/db", logs: { ...logs, since: "5m" } }).logs.since).toBe("5m");
});
