import { expect, test } from "vitest";

import { formatInventoryId, parseInventoryId } from "./inventory-id.ts";

test.each([
  ["shop_web_apps_Deployment", { namespace: "shop", name: "web", group: "apps", kind: "Deployment" }],
  ["_shop__Namespace", { namespace: "", name: "shop", group: "", kind: "Namespace" }],
  [
    "_system__controller__x_rbac.authorization.k8s.io_ClusterRole",
    { namespace: "", name: "system:controller:x", group: "rbac.authorization.k8s.io", kind: "ClusterRole" },
  ],
])("%s is written as it is read", (id, key) => {
  expect(formatInventoryId(key)).toBe(id);
  expect(parseInventoryId(id)).toEqual(key);
});

test.each(["a_b", "ops*", "x".repeat(250)])("an object that no ConfigMap can list has no id: %s", (name) => {
  expect(formatInventoryId({ group: "", kind: "Role", namespace: "n", name })).toBeUndefined();
});
