import { expect, test } from "vitest";
import { stringify } from "yaml";
import { inUsualOrder } from "./usual-order.ts";

test("US9: an object is written as people write manifests, with its status last", () => {
  const object = {
    status: { phase: "Bound" },
    kind: "ConfigMap",
    data: { b: "1", a: "2" },
    apiVersion: "v1",
    metadata: { uid: "u", annotations: {}, creationTimestamp: "t", namespace: "prod", labels: {}, name: "web" },
    immutable: true,
    spec: {},
  };
  const before = structuredClone(object);
  const ordered = inUsualOrder(object);
  expect(Object.keys(ordered)).toEqual(["apiVersion", "kind", "metadata", "spec", "data", "immutable", "status"]);
  expect(Object.keys(ordered["metadata"] as object)).toEqual(["name", "namespace", "labels", "annotations", "uid", "creationTimestamp"]);
  expect(ordered).toEqual(before);
  expect(object).toEqual(before);
});

test("an object that lies about its fields loses none of them", () => {
  const object = JSON.parse('{"status":1,"__proto__":{"a":1},"metadata":["x"],"kind":null}') as Record<string, unknown>;
  expect(stringify(inUsualOrder(object))).toBe("kind: null\nmetadata:\n  - x\n__proto__:\n  a: 1\nstatus: 1\n");
});
