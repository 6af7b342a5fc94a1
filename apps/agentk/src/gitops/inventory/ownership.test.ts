import { OWNING_INVENTORY } from "@binnacle/kube";
import { expect, test } from "vitest";

import { isOwned, whyForeign } from "./ownership.ts";

const bearing = (inventory: string): object => ({ metadata: { annotations: { [OWNING_INVENTORY]: inventory } } });
const IDS = { id: "ours", formerId: "inventory-ours" };
const bare = { metadata: {} };
const OTHERS = "the object belongs to inventory theirs";

test.each([
  ["must_match", bearing("ours"), undefined],
  ["must_match", bearing("inventory-ours"), undefined],
  ["must_match", bearing("theirs"), OTHERS],
  ["must_match", bare, "the object was there before, and inventory_policy is must_match"],
  ["adopt_if_no_inventory", bearing("theirs"), OTHERS],
  ["adopt_if_no_inventory", bare, undefined],
  ["adopt_all", bearing("theirs"), undefined],
  ["adopt_all", bare, undefined],
] as const)("by %s an object that is there is ours or not: %j", (policy, live, why) => {
  expect(whyForeign(live, IDS, policy)).toBe(why);
});

test("no mark is not the former id of an inventory that never had another one", () => {
  expect(isOwned(bare, { id: "ours", formerId: "" })).toBe(false);
});

test("an object of an odd shape has no mark", () => {
  for (const odd of [undefined, "text", { metadata: { annotations: 7 } }]) expect(whyForeign(odd, IDS, "must_match")).toMatch(/must_match/);
});
