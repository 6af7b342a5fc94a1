import type { ObjectKey } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { Inventory } from "../inventory/inventory.ts";
import { Turns } from "../manifests/turns.ts";
import { DEFAULT_OPTIONS, EMPTY_INVENTORY } from "../testing/sync-made.ts";
import { leavingObjects, whyHeld } from "./leaving-objects.ts";

const keyOf = (name: string): ObjectKey => ({ group: "", kind: "ConfigMap", namespace: "shop", name });
const lineOf = (name: string): string => `shop_${name}__ConfigMap`;

const names = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** An inventory of objects; those that begin with "f" were added while others had left. */
const inventoryOf = (listed: readonly string[], consent = ""): Inventory => ({
  ...EMPTY_INVENTORY,
  objects: new Map(listed.map((name) => [lineOf(name), keyOf(name)])),
  consent,
  fresh: new Set(listed.filter((name) => name.startsWith("f")).map(lineOf)),
});

const held = (listed: readonly string[], leaving: readonly string[], over: { consent?: string; failed?: boolean; prune?: boolean } = {}) =>
  whyHeld({
    commit: { commitId: "c1", projectId: 7n, files: [] },
    options: { ...DEFAULT_OPTIONS, prune: over.prune ?? true },
    inventory: inventoryOf(listed, over.consent),
    leaving: leaving.map(keyOf),
    failed: over.failed ?? false,
    turns: new Turns(),
  });

test("a few that leave are pruned, all or most of them wait", async () => {
  expect(await held(["a", "b", "c"], ["a"])).toBe("");
  expect(await held(["a", "b"], ["a", "b"])).toBe("all 2 objects of the inventory would be pruned");
  expect(await held(names(20, "a"), names(12, "a"))).toBe("12 of 20 objects of the inventory would be pruned");
});

test("what was added since objects left does not make them few", async () => {
  expect(await held(["a", "b", "f1", "f2", "f3"], ["a", "b"])).toBe("all 2 objects of the inventory would be pruned");
  expect(await held([...names(20, "a"), ...names(20, "f")], names(12, "a"))).toBe("12 of 20 objects of the inventory would be pruned");
  expect(await held(["a", "b", "f1", "f2", "f3"], ["b", "f3"])).toBe("");
  expect(await held(["a", "b", "f1"], ["f1"])).toBe("");
});

test("nothing is pruned without `prune`, or of a commit that was not applied", async () => {
  expect(await held(["a", "b", "c"], ["a"], { prune: false })).toBe("prune is false");
  expect(await held(["a", "b", "c"], ["a"], { failed: true })).toBe("not everything was applied");
  expect(await held(["a", "b", "c"], [], { failed: true, prune: false })).toBe("");
});

test("consent is for one commit", async () => {
  expect(await held(["a"], ["a"], { consent: "c1" })).toBe("");
  expect(await held(["a"], ["a"], { consent: "c0" })).not.toBe("");
  expect(await held(["a"], ["a"], { consent: "c1", failed: true })).toBe("not everything was applied");
});

test("what no manifest has any more leaves", async () => {
  expect((await leavingObjects(inventoryOf(["a", "b"]), [], new Turns())).map(({ name }) => name)).toEqual(["a", "b"]);
});
