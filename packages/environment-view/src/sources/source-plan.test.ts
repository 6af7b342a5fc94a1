import { describe, expect, test } from "vitest";

import { kindOf } from "../fake-cluster.ts";
import { accessOf } from "./source-access.ts";
import { planSources } from "./source-plan.ts";

const PODS = kindOf("/v1/pods/Pod");
const NODES = { ...kindOf("/v1/nodes/Node"), namespaced: false };
const CLASSES = { ...kindOf("storage.k8s.io/v1/storageclasses/StorageClass"), namespaced: false };
const ROLES = { ...kindOf("rbac.authorization.k8s.io/v1/clusterroles/ClusterRole"), namespaced: false };

describe("planSources", () => {
  test("every kind is read in each namespace of the scope, and in all of them when it names none", () => {
    expect(planSources([PODS], { namespaces: ["a", "b"] }).map(({ id }) => id)).toEqual(["/pods/a", "/pods/b"]);
    expect(planSources([PODS], { namespaces: [] }).map(({ id }) => id)).toEqual(["/pods/"]);
  });

  test("a namespace that is named twice is read once", () => {
    expect(planSources([PODS], { namespaces: ["a", "a"] })).toHaveLength(1);
  });

  test("of what is cluster-wide only that which rules ask about is read, last and as context", () => {
    expect(planSources([NODES, ROLES, CLASSES, PODS], { namespaces: ["a"] }).map(({ id, role }) => [id, role])).toEqual([
      ["/pods/a", "scope"],
      ["/nodes/", "context"],
      ["storage.k8s.io/storageclasses/", "context"],
    ]);
  });

  test("a kind that cannot be listed is not read", () => {
    expect(planSources([{ ...PODS, verbs: ["get"] }], { namespaces: ["a"] })).toEqual([]);
  });
});

describe("accessOf", () => {
  const pods = { group: "", kind: "Pod" };

  test("a kind is complete in the namespaces whose source is live or stale", () => {
    const sources = [
      { ...pods, namespace: "b", state: "stale" },
      { ...pods, namespace: "a", state: "live" },
      { ...pods, namespace: "c", state: "forbidden" },
    ] as const;
    expect(accessOf(sources)).toEqual([{ ...pods, access: "synced", namespaces: ["a", "b"] }]);
  });

  test("one list of all namespaces is complete everywhere", () => {
    expect(accessOf([{ ...pods, namespace: "", state: "live" }])).toEqual([{ ...pods, access: "synced" }]);
  });

  test.each(["loading", "forbidden", "unserved", "truncated", "error"] as const)(
    "a kind that is %s says nothing of what is missing",
    (state) => {
      expect(accessOf([{ ...pods, namespace: "a", state }])).toEqual([{ ...pods, access: "not-visible" }]);
    },
  );
});
