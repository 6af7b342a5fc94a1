import { expect, test } from "vitest";

import { ApiError } from "./api-error.ts";
import { SchemaCatalog } from "./schema.ts";
import { strategicMerge } from "./strategic-merge.ts";

const catalog = new SchemaCatalog();
const typed = { catalog, schema: catalog.get("io.k8s.api.core.v1.Pod") };
const merge = (spec: unknown, patch: unknown): unknown => strategicMerge({ spec }, { spec: patch }, typed);

test("items of a keyed list merge by their key, in the order the patch names", () => {
  const before = {
    containers: [
      { name: "a", image: "1" },
      { name: "b", image: "1" },
    ],
  };
  const patch = { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }], containers: [{ name: "a", image: "2" }] };
  expect(merge(before, patch)).toEqual({
    spec: {
      containers: [
        { name: "b", image: "1" },
        { name: "a", image: "2" },
      ],
    },
  });
});

test("without an order, new items come before the present ones that follow the patched ones", () => {
  const names = (patch: readonly string[]): unknown =>
    merge({ containers: ["a", "b", "c"].map((name) => ({ name })) }, { containers: patch.map((name) => ({ name })) });
  const spec = (...order: readonly string[]): unknown => ({ spec: { containers: order.map((name) => ({ name })) } });
  expect(names(["x"])).toEqual(spec("x", "a", "b", "c"));
  expect(names(["x", "b"])).toEqual(spec("x", "a", "b", "c"));
  expect(names(["b", "x"])).toEqual(spec("a", "b", "x", "c"));
});

test("directives replace and delete", () => {
  const before = { containers: [{ name: "a" }, { name: "b" }], nodeSelector: { x: "1" } };
  expect(merge(before, { containers: [{ $patch: "delete", name: "a" }] })).toEqual({
    spec: { containers: [{ name: "b" }], nodeSelector: { x: "1" } },
  });
  expect(merge(before, { containers: [{ $patch: "replace" }, { name: "c" }], nodeSelector: { $patch: "replace", y: "2" } })).toEqual({
    spec: { containers: [{ name: "c" }], nodeSelector: { y: "2" } },
  });
});

test("primitive lists merge as sets and lose what the patch takes out", () => {
  const finalizers = (patch: unknown): unknown => strategicMerge({ metadata: { finalizers: ["a/1", "b/2"] } }, { metadata: patch }, typed);
  expect(finalizers({ finalizers: ["c/3"] })).toEqual({ metadata: { finalizers: ["a/1", "b/2", "c/3"] } });
  expect(finalizers({ "$deleteFromPrimitiveList/finalizers": ["a/1"] })).toEqual({ metadata: { finalizers: ["b/2"] } });
});

test("an item without its key, or an unknown directive, is refused", () => {
  expect(() => merge({ containers: [{ name: "a" }] }, { containers: [{ image: "2" }] })).toThrow(ApiError);
  expect(() => merge({}, { $unknown: true })).toThrow(ApiError);
});
