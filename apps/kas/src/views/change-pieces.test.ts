import { create } from "@bufbuild/protobuf";
import { ViewUpdateSchema } from "@binnacle/proto/kas-views";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ChangePieces } from "./change-pieces.ts";
import { ReceivedChange } from "./received-change.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("a change comes out of its pieces as it went in, and no piece is much larger than allowed", () => {
  const entry = fc.record({ key: fc.string({ minLength: 1, maxLength: 20 }), bytes: fc.constantFrom(0, 10, 100_000, 300_000) });
  const change = fc.record({
    reset: fc.boolean(),
    entries: fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 12 }),
    removed: fc.uniqueArray(fc.string({ minLength: 21, maxLength: 30 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(change, ({ reset, entries, removed }) => {
      const given = { reset, entries: entries.map(({ key, bytes }) => ({ key, value: new Uint8Array(bytes) })), removed };
      const pieces = new ChangePieces(given);
      const received = new ReceivedChange();
      let whole: unknown;
      for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) {
        expect(whole).toBeUndefined();
        const bytes = piece.entries.reduce((sum, { value }) => sum + value.byteLength, 0);
        expect(piece.entries.length <= 1 || bytes <= VIEW_BOUNDS.pieceBytes).toBe(true);

        whole = received.add(
          create(ViewUpdateSchema, {
            reset: piece.reset,
            removed: [...piece.removed],
            more: !pieces.isDone,
            entries: piece.entries.map(({ key, value }) => ({ $typeName: "kas.v1.ViewEntry" as const, key, value })),
          }),
        );
      }
      expect(whole).toEqual(given);
      expect(received.bytes).toBe(0);
    }),
  );
});

test("a reset in the middle of a change begins anew", () => {
  const received = new ReceivedChange();
  received.add(create(ViewUpdateSchema, { reset: true, entries: [{ key: "old", value: bytesOf("1") }], more: true }));
  const whole = received.add(create(ViewUpdateSchema, { reset: true, entries: [{ key: "new", value: bytesOf("2") }] }));
  expect(whole).toEqual({ reset: true, entries: [{ key: "new", value: bytesOf("2") }], removed: [] });
});

test("of a key that is said more than once in a change the last word counts", () => {
  const received = new ReceivedChange();
  received.add(create(ViewUpdateSchema, { entries: [{ key: "a", value: bytesOf("1") }], removed: ["b"], more: true }));
  const whole = received.add(create(ViewUpdateSchema, { entries: [{ key: "b", value: bytesOf("2") }], removed: ["a"] }));
  expect(whole).toEqual({ reset: false, entries: [{ key: "b", value: bytesOf("2") }], removed: ["a"] });
});

test("what is kept is a copy: the message that it came in is used again", () => {
  const received = new ReceivedChange();
  const message = bytesOf("before");
  const whole = received.add(create(ViewUpdateSchema, { reset: true, entries: [{ key: "a", value: message }] }));
  message.fill(0);
  expect(whole?.entries[0]?.value).toEqual(bytesOf("before"));
});
