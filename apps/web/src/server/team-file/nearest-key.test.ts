import { expect, test } from "vitest";

import { nearestKey } from "./parse-team-file.ts";

const KNOWN = ["namespaces", "labels", "inventoryId"];

test.each([
  ["namespace", "namespaces"],
  ["NameSpaces", "namespaces"],
  ["label", "labels"],
  ["inventory_id", "inventoryId"],
  ["replicas", undefined],
  ["", undefined],
  ["l".repeat(100_000), undefined],
])("%.20s is near to %s", (key, nearest) => {
  expect(nearestKey(key, KNOWN)).toBe(nearest);
});
