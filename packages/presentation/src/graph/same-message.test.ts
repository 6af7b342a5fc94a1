import { EdgeSchema, NodeSchema } from "@binnacle/proto/dashboard";
import { create, equals, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameMessage } from "./same-message.ts";

type NodeInit = Exclude<MessageInitShape<typeof NodeSchema>, { $typeName: string }>;

const node = fc.record<NodeInit>(
  {
    ref: fc.record({ name: fc.constantFrom("a", "b") }),
    presence: fc.constantFrom(0, 1),
    ready: fc.constantFrom(-1, 0, 2),
    createdAt: fc.constantFrom({ seconds: 1n }, { seconds: 2n ** 60n }, { seconds: 1n, nanos: 1 }),
    images: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
    notices: fc.array(
      fc.record({
        words: fc.record({
          facts: fc.array(
            fc.constantFrom(
              { value: { case: "number" as const, value: 1 } },
              { value: { case: "text" as const, value: "1" } },
              { value: { case: undefined } },
            ),
            { maxLength: 2 },
          ),
        }),
      }),
      { maxLength: 2 },
    ),
    superseded: fc.boolean(),
  },
  { requiredKeys: [] },
);

test("two messages are the same when protobuf says so, whether they were made, sent or copied between threads", () => {
  fc.assert(
    fc.property(node, node, (left, right) => {
      const [a, b] = [create(NodeSchema, left), create(NodeSchema, right)];
      const sent = structuredClone(fromBinary(NodeSchema, toBinary(NodeSchema, b)));
      expect(isSameMessage(a, sent)).toBe(equals(NodeSchema, a, b));
      expect(isSameMessage(b, sent)).toBe(true);
    }),
  );
});

test("what is undefined is as what is absent, and what this build does not know does not count", () => {
  const edge = create(EdgeSchema, { id: 1 });
  const unknown = { ...edge, $unknown: [{ no: 99, wireType: 0, data: new Uint8Array(1) }] };
  expect(isSameMessage(edge, unknown)).toBe(equals(EdgeSchema, edge, unknown));
  expect(isSameMessage({ a: undefined, b: 1 }, { b: 1 })).toBe(true);
  expect(isSameMessage({ a: null, b: 1 }, { b: 1 })).toBe(false);
});
