import { create, toBinary } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";

import {
  EnvironmentHealthSchema,
  FactSchema,
  GetResourceResponseSchema,
  HealthStatus,
  NodeSchema,
  SourceSchema,
  WordsSchema,
} from "../../gen/dashboard/v1/dashboard_pb.ts";
import { ScopeSummarySchema, ViewUpdateSchema } from "../../gen/kas/v1/views_pb.ts";
import { JsonFields, parseJson } from "./read-json.ts";
import { MAX_ITEMS, MAX_TEXT, readMessage } from "./read-message.ts";

const UTF8 = new TextEncoder();

test("T40: a time of no calendar, a word of no contract and what is much too long are gaps, and the rest is read", () => {
  const since = create(TimestampSchema, { seconds: -(2n ** 63n) });
  const bytes = toBinary(
    ScopeSummarySchema,
    create(ScopeSummarySchema, {
      // A word that only a newer program has.
      health: { status: 77 as HealthStatus, reason: "x".repeat(1_000_000), issues: [{ key: "k", since }] },
      workloads: 3,
      changedAt: create(TimestampSchema, { seconds: 2n ** 63n - 1n, nanos: -1 }),
    }),
  );
  const read = readMessage(ScopeSummarySchema, bytes);
  expect(read).toMatchObject({ workloads: 3, health: { status: HealthStatus.UNSPECIFIED, issues: [{ key: "k" }] } });
  expect([read?.changedAt, read?.health?.issues[0]?.since]).toEqual([undefined, undefined]);
  expect(read?.health?.reason).toHaveLength(MAX_TEXT);
});

test("T40: a number that is none is 0, and one of several kinds of facts is none of them", () => {
  const fact = create(FactSchema, { name: "n", value: { case: "number", value: Number.NaN } });
  expect(readMessage(FactSchema, toBinary(FactSchema, fact))?.value).toEqual({ case: undefined });
  const words = create(WordsSchema, { id: "a", facts: [fact] });
  expect(readMessage(WordsSchema, toBinary(WordsSchema, words))?.facts).toHaveLength(1);
});

test("T40: fields that the contract does not name, and lists without an end, are not passed on", () => {
  const unknown = create(NodeSchema, { id: 1, ref: { kind: "Pod" } });
  const data = new Uint8Array([1]);
  for (const message of [unknown, unknown.ref]) if (message) message.$unknown = [{ no: 999, wireType: 0, data }];
  expect(readMessage(NodeSchema, toBinary(NodeSchema, unknown))).toEqual(create(NodeSchema, { id: 1, ref: { kind: "Pod" } }));
  const many = create(EnvironmentHealthSchema, { hidden: Array.from({ length: 50_000 }, () => "a") });
  expect(readMessage(EnvironmentHealthSchema, toBinary(EnvironmentHealthSchema, many))?.hidden).toHaveLength(MAX_ITEMS);
});

test("T40: a message that is well is read as it is", () => {
  const since = create(TimestampSchema, { seconds: 1_700_000_000n, nanos: 5_000_000 });
  const source = create(SourceSchema, {
    kind: "Pod",
    staleSince: since,
    every: create(DurationSchema, { seconds: 30n }),
    words: { id: "x", facts: [{ name: "a" }] },
  });
  expect(readMessage(SourceSchema, toBinary(SourceSchema, source))).toEqual(source);
});

test("T40: reading arbitrary bytes neither throws nor yields what cannot be sent on", () => {
  const schemas = [NodeSchema, EnvironmentHealthSchema, ScopeSummarySchema, GetResourceResponseSchema, ViewUpdateSchema] as const;
  fc.assert(
    fc.property(fc.constantFrom(...schemas), fc.uint8Array({ maxLength: 200 }), (schema, bytes) => {
      const read = readMessage(schema, bytes);
      expect(() => read && toBinary(schema, read)).not.toThrow();
    }),
  );
});

test("T40: JSON is read field by field, each of its own type; no name reaches a prototype", () => {
  const bytes = UTF8.encode(
    '{"__proto__":{"flag":true},"n":"7","t":1e300,"w":"b","s":"\\ud800","words":{"id":"x","facts":{"__proto__":"y","a":[1,null,"b"]}}}',
  );
  const fields = new JsonFields(parseJson(bytes));
  expect([
    fields.flag("flag"),
    fields.count("n"),
    fields.time("t"),
    fields.word("w", ["a"]),
    fields.text("s"),
    fields.text("toString"),
  ]).toEqual([false, 0, undefined, undefined, "\ufffd", ""]);
  expect(fields.words("words")).toEqual({ id: "x", facts: { a: [1, "b"] } });
  expect(Object.getPrototypeOf(fields.words("words")?.facts)).toBe(Object.prototype);
});

test("T40: reading arbitrary JSON does not throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const fields = new JsonFields(parseJson(UTF8.encode(text)));
      for (const name of ["a", "__proto__", "", ...fields.names]) {
        expect(typeof fields.text(name)).toBe("string");
        expect(fields.count(name)).toBe(fields.count(name) >>> 0);
        fields.words(name);
        fields.time(name);
      }
    }),
  );
});
