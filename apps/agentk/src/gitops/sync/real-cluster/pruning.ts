import { fieldsAt, OWNING_INVENTORY, PAUSED, PAUSED_REASON, PRUNE_CONSENT } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { commit, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

describe("pruning", () => {
  test("what left the manifests is deleted; what another inventory has, or asks to be kept, is only forgotten", async () => {
    await bench.sync(commit(maps("a", "b", "c", "d", "e")));
    await bench.annotate("c", { [OWNING_INVENTORY]: "other" });
    await bench.annotate("d", { "client.lifecycle.config.k8s.io/deletion": "detach" });
    expect(outcomes(await bench.sync(commit(maps("a", "e"), "c2")))).toEqual([
      "a unchanged",
      "b pruned",
      "c skipped",
      "d skipped",
      "e unchanged",
    ]);
    expect(await bench.seen()).toEqual({ live: ["a", "c", "d", "e"], listed: bench.lines("a", "e") });
  });

  test("an empty tree prunes nothing until a user consents to that very commit", async () => {
    await bench.sync(commit(maps("a", "b")));
    expect(await bench.sync(commit("", "c2"))).toMatchObject({
      state: "synced",
      pruneHeld: "all 2 objects of the inventory would be pruned",
    });
    await bench.annotate("inventory-5-7", { [PRUNE_CONSENT]: "c2" });
    expect((await bench.sync(commit("", "c3"))).pruneHeld).not.toBe("");
    expect((await bench.seen()).live).toEqual(["a", "b"]);
    expect(outcomes(await bench.sync(commit("", "c2")))).toEqual(["a pruned", "b pruned"]);
    expect(await bench.seen()).toEqual({ live: [], listed: [] });
  });

  test("what was held stays held, whatever is added beside it, until a user consents", async () => {
    const values = async (): Promise<string[]> => {
      const { value } = await bench.call("GET", bench.mapPath("inventory-5-7"));
      return Object.values(fieldsAt(value, "data")).map(String);
    };
    await bench.sync(commit(maps("a", "b")));
    const held = "all 2 objects of the inventory would be pruned";
    const renamed = commit(maps("c", "d", "e"), "c2");
    expect((await bench.sync(renamed)).pruneHeld).toBe(held);
    // The inventory lists five now, and two of five would be few.
    expect((await bench.sync(renamed)).pruneHeld).toBe(held);
    expect((await bench.sync(commit(maps("c", "d", "e", "f"), "c3"))).pruneHeld).toBe(held);
    expect((await values()).toSorted()).toEqual(["", "", "fresh", "fresh", "fresh", "fresh"]);
    expect((await bench.seen()).live).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect((await bench.sync(commit(maps("a", "c", "d"), "c4"))).results.map(({ outcome }) => outcome)).toContain("pruned");
    expect((await bench.seen()).live).toEqual(["a", "c", "d"]);
    expect(await values()).toEqual(["", "", ""]);
  });

  test("what would have been held stays held after a sync that failed or was killed", async () => {
    await bench.sync(commit(maps("a", "b")));
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 70000}]}\n";
    expect((await bench.sync(commit(`${maps("c", "d", "e")}---\n${bad}`, "c2"))).pruneHeld).toBe("not everything was applied");
    expect((await bench.sync(commit(maps("c", "d", "e"), "c3"))).pruneHeld).toBe("all 2 objects of the inventory would be pruned");
    expect((await bench.seen()).live).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("nothing is pruned when something was not applied, when prune is false, or while the project is paused", async () => {
    await bench.sync(commit(maps("a", "b")));
    expect((await bench.sync(commit(`${map("a")}---\n${map("x", "data: {k: 3}\n")}`, "c2"))).pruneHeld).toBe("not everything was applied");
    expect((await bench.sync(commit(map("a"), "c2"), { prune: false })).pruneHeld).toBe("prune is false");
    await bench.annotate("inventory-5-7", { [PAUSED]: "true", [PAUSED_REASON]: "database\nmigration" });
    const paused = await bench.sync(commit(maps("a", "new"), "c2"));
    expect(paused).toMatchObject({ state: "paused", results: [], reason: "database migration" });
    expect((await bench.seen()).live).toEqual(["a", "b"]);
  });
});
