import type { DescMessage } from "@bufbuild/protobuf";
import { GatewayKasResponseSchema } from "@binnacle/proto/gateway";
import { ObjectsToSynchronizeResponseSchema } from "@binnacle/proto/gitops";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { ValuesSchema } from "@binnacle/proto/prototool";
import { ConnectRequestSchema, ConnectResponseSchema } from "@binnacle/proto/reverse-tunnel";
import { Fault } from "@binnacle/rpc";
import { describe, expect, test } from "vitest";

import { automatonOf, StreamAutomaton, unreachableFields } from "./stream-automaton.ts";

const END = -1;

/** First fields, then what may follow each field: docs/design/contract.md "Frame order". */
const TABLE: readonly (readonly [DescMessage, readonly number[], Readonly<Record<number, readonly number[]>>])[] = [
  [ConnectRequestSchema, [1], { 1: [2, 5], 2: [3, 4], 3: [3, 4], 4: [5, END], 5: [END] }],
  [ConnectResponseSchema, [1, END], { 1: [2, 3, END], 2: [2, 3, END], 3: [END] }],
  [HttpRequestSchema, [1], { 1: [2, 3], 2: [2, 3], 3: [4, END], 4: [4, END] }],
  [HttpResponseSchema, [1], { 1: [2, 3], 2: [2, 3], 3: [4, END], 4: [4, END] }],
  [GatewayKasResponseSchema, [1, 6, END], { 1: [2, 5], 2: [3, 4], 3: [3, 4], 4: [5, END], 5: [END], 6: [1, END] }],
];

describe.each(TABLE)("the automaton of $typeName", (schema, first, next) => {
  const table = automatonOf(schema);

  test("is the one of the contract", () => {
    expect([...table.first]).toEqual(first);
    expect(Object.fromEntries([...table.next].map(([field, follow]) => [field, [...follow]]))).toEqual(next);
  });

  test("has no field that cannot be reached", () => {
    expect(unreachableFields(table)).toEqual([]);
  });

  test("allows what the table allows and nothing else", () => {
    const allowed = Object.keys(next).map((field) => {
      const fits = [0, 1, 2, 3, 4, 5, 6, 7].filter((candidate) => passes(() => new StreamAutomaton(table, Number(field)).check(candidate)));
      return [field, passes(() => new StreamAutomaton(table, Number(field)).end()) ? [...fits, END] : fits];
    });
    expect(Object.fromEntries(allowed)).toEqual(next);
  });
});

/** False when the step is refused as out of order; any other error rises. */
function passes(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.reason === "frame_order") return false;
    throw error;
  }
}

describe("StreamAutomaton", () => {
  test("an illegal message leaves the state as it was", () => {
    const automaton = new StreamAutomaton(automatonOf(ConnectRequestSchema));
    automaton.check(1);
    expect(() => automaton.check(3)).toThrow("field 3 is not allowed after field 1");
    expect(automaton.last).toBe(1);
    automaton.check(2);
  });

  test("the end of the stream is not a field a message can name", () => {
    expect(() => new StreamAutomaton(automatonOf(ConnectResponseSchema)).check(END)).toThrow(
      expect.objectContaining({ reason: "frame_order" }),
    );
  });

  test("a message without the options is a mistake in the .proto", () => {
    expect(() => automatonOf(ValuesSchema)).toThrow("has no oneof with first_allowed_field");
  });

  test("every message with the options has no unreachable field", () => {
    expect(unreachableFields(automatonOf(ObjectsToSynchronizeResponseSchema))).toEqual([]);
  });

  test("a field that nothing leads to is found", () => {
    const table = {
      typeName: "x",
      first: new Set([1]),
      next: new Map([
        [1, new Set([END])],
        [2, new Set([END])],
      ]),
    };
    expect(unreachableFields(table)).toEqual([2]);
  });
});
