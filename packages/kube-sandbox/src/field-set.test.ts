import fc from "fast-check";
import { expect, test } from "vitest";

import { difference, fieldSetOf, intersection, union, type FieldSet } from "./field-set.ts";
import { SchemaCatalog } from "./schema.ts";

const typed = { catalog: new SchemaCatalog(), schema: undefined };
const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
const object = fc.object({ maxDepth: 3, key: fc.constantFrom("a", "b", "c"), values: [leaf, fc.constant([1])] });
const set = object.map((value): FieldSet => fieldSetOf(value, typed));

test("a set without itself is empty", () => {
  fc.assert(
    fc.property(set, (one) => {
      expect(difference(one, one)).toEqual({});
    }),
  );
});

test("what is in both and what is only in the left are together the left", () => {
  fc.assert(
    fc.property(set, set, (left, right) => {
      expect(union(difference(left, right), intersection(left, right))).toEqual(left);
    }),
  );
});

test("a keyed list names its items by their keys, an atomic map is one field", () => {
  const catalog = typed.catalog;
  const schema = catalog.get("io.k8s.api.core.v1.Service");
  const service = { metadata: { labels: { a: "1" } }, spec: { ports: [{ port: 80, name: "http" }], selector: { app: "a" } } };
  expect(fieldSetOf(service, { catalog, schema })).toEqual({
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": { "f:ports": { ".": {}, 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {}, "f:name": {} } }, "f:selector": {} },
  });
});
