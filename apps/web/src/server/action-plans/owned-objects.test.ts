import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { ownedBy, uidsOf } from "./owned-objects.ts";

const object = (name: string, ...owners: readonly string[]): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name, ownerReferences: owners.map((uid) => ({ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid })) },
});

test("objects of one of the owners are found, those of others and of nobody are not", () => {
  const items = [object("a", "1"), object("b", "2"), object("c", "3", "1"), object("d"), object("e", "")];
  expect(ownedBy(items, new Set(["1"])).map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
  expect(ownedBy(items, uidsOf([object("web")]))).toEqual([]);
});
