import { describe, expect, test } from "vitest";

import { kindOf } from "../testing/fake-cluster.ts";
import { accessOf } from "./source-access.ts";
import { words } from "@binnacle/words";
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

  test("a kind is complete in the namespaces whose source is live, however old that is", () => {
    const stale = { sinceMs: 1, cause: "way", words: words("way/waiting") } as const;
    const sources = [
      { ...pods, namespace: "b", settled: "live", stale },
      { ...pods, namespace: "a", settled: "live" },
      { ...pods, namespace: "c", settled: "forbidden" },
    ] as const;
    expect(accessOf(sources, true)).toEqual([{ ...pods, access: "synced", namespaces: ["a", "b"], look: 1 }]);
  });

  test("one list of all namespaces is complete everywhere", () => {
    expect(accessOf([{ ...pods, namespace: "", settled: "live" }], true)).toEqual([{ ...pods, access: "synced" }]);
  });

  test.each(["forbidden", "unserved", "truncated", "error"] as const)(
    "W5, UB3: a kind that is %s says nothing of what is missing, also when the way there broke since",
    (settled) => {
      const source = { ...pods, namespace: "a", settled };
      const stale = { ...source, stale: { sinceMs: 1, cause: "way", words: words("way/waiting") } } as const;
      expect(accessOf([source], true)).toEqual([{ ...pods, access: "not-visible" }]);
      expect(accessOf([stale], true)).toEqual([{ ...pods, access: "not-visible" }]);
    },
  );

  test("a kind that is loading says nothing of what is missing", () => {
    expect(accessOf([{ ...pods, namespace: "a" }], true)).toEqual([{ ...pods, access: "not-visible" }]);
  });
});
