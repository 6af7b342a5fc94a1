import { INVENTORY_LABEL, OWNING_INVENTORY } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { commit, failures, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

describe("objects of others", () => {
  test("a field of another manager is not taken: the conflict names it and the line", async () => {
    await bench.sync(commit(map("a", "data:\n  k: one\n")));
    const theirs = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "two" } };
    await bench.patch(`${bench.mapPath("a")}?fieldManager=other-manager&force=true`, theirs);
    const report = await bench.sync(commit(map("a", "data:\n  k: one\n")));
    expect(failures(report)).toEqual([
      expect.stringMatching(/^a all\.yaml:6 other managers own fields of the manifest: \.data\.k \(conflict with "other-manager"/),
    ]);
    expect((await bench.call("GET", bench.mapPath("a"))).value).toMatchObject({ data: { k: "two" } });
  });

  test("an inventory of Go's agentk is taken over: its objects change without a conflict, and those that left are pruned", async () => {
    const lines = bench.lines("old", "kept").map((line) => [line, ""]);
    const labels = { [INVENTORY_LABEL]: "5-7" };
    await bench.call("POST", `/api/v1/namespaces/${bench.namespace}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "inventory-5-7", labels },
      data: Object.fromEntries(lines),
    });
    for (const name of ["old", "kept"]) {
      const annotations = { [OWNING_INVENTORY]: "5-7" };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations }, data: { k: "go" } };
      await bench.patch(`${bench.mapPath(name)}?fieldManager=agentk&force=true`, object);
    }
    expect(outcomes(await bench.sync(commit(map("kept", "data: {k: ours}\n"))))).toEqual(["kept applied", "old pruned"]);
    expect(await bench.seen()).toEqual({ live: ["kept"], listed: bench.lines("kept") });
  });

  test("two agents claim one object: the second says whose it is, and neither prunes the other's", async () => {
    await bench.sync(commit(maps("a", "b")));
    const second = await bench.sync(commit(maps("a", "c")), {}, { agentId: 6n });
    expect(failures(second)).toEqual(["a all.yaml:1 the object belongs to inventory 5-7"]);
    expect(outcomes(await bench.sync(commit(maps("c"), "c2"), { inventoryPolicy: "adopt_if_no_inventory" }, { agentId: 6n }))).toEqual([
      "c unchanged",
    ]);
    expect((await bench.seen()).live).toEqual(["a", "b", "c"]);
  });

  test("an object that was there before is left alone under must_match, and adopted by the other policies", async () => {
    await bench.call("POST", `/api/v1/namespaces/${bench.namespace}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
    });
    expect(failures(await bench.sync(commit(map("a"))))).toEqual([
      "a all.yaml:1 the object was there before, and inventory_policy is must_match",
    ]);
    expect((await bench.seen()).listed).toEqual([]);
    expect(outcomes(await bench.sync(commit(map("a")), { inventoryPolicy: "adopt_if_no_inventory" }))).toEqual(["a applied"]);
    expect(failures(await bench.sync(commit(map("a")), { inventoryPolicy: "adopt_if_no_inventory" }, { agentId: 6n }))).toHaveLength(1);
    expect(outcomes(await bench.sync(commit(map("a")), { inventoryPolicy: "adopt_all" }, { agentId: 6n }))).toEqual(["a applied"]);
  });

  test("a second inventory of the same id stops the sync", async () => {
    await bench.sync(commit(map("a")));
    const twin = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "twin", labels: { [INVENTORY_LABEL]: "5-7" } } };
    await bench.call("POST", `/api/v1/namespaces/${bench.namespace}/configmaps`, twin);
    await expect(bench.sync(commit(map("b")))).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("inventory-5-7, twin"),
    });
    await bench.call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: `${bench.namespace}-x` } });
    await bench.call("POST", `/api/v1/namespaces/${bench.namespace}-x/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "inventory-5-7" },
    });
    await expect(bench.sync(commit(map("b")), { defaultNamespace: `${bench.namespace}-x` })).rejects.toThrow(
      /is there and is no inventory/,
    );
  });
});
