import { expect, test } from "vitest";

import { whyConsentNeeded } from "./leaving-objects.ts";

test.each([
  ["nothing", { pruned: 0, listed: 20 }, undefined],
  ["nothing of nothing", { pruned: 0, listed: 0 }, undefined],
  ["one of two", { pruned: 1, listed: 2 }, undefined],
  ["ten of eleven", { pruned: 10, listed: 11 }, undefined],
  ["half of many", { pruned: 11, listed: 22 }, undefined],
  ["most of many", { pruned: 12, listed: 22 }, "12 of 22 objects of the inventory would be pruned"],
  ["the only one", { pruned: 1, listed: 1 }, "all 1 objects of the inventory would be pruned"],
  ["all", { pruned: 40, listed: 40 }, "all 40 objects of the inventory would be pruned"],
])("%s is pruned with or without consent", (_title, count, why) => {
  expect(whyConsentNeeded(count)).toBe(why);
});
