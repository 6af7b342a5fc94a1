import fc from "fast-check";
import { expect, test } from "vitest";

import { ChangePieces } from "./change-pieces.ts";
import { ChangeError, JoinedChange } from "./joined-change.ts";
import type { TableChange } from "./published-table.ts";

const PIECE_BYTES = 256 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The same change with values as texts, one character a byte: vitest compares bytes one by one, which takes seconds. */
function legible(change: TableChange | undefined): object {
  const latin1 = new TextDecoder("latin1");
  return { ...change, entries: change?.entries.map(({ key, value }) => ({ key, value: latin1.decode(value) })) };
}

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
      const pieces = new ChangePieces(given, PIECE_BYTES);
      const joined = new JoinedChange();
      let complete: TableChange | undefined;
      for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) {
        expect(complete).toBeUndefined();
        const bytes = piece.entries.reduce((sum, { value }) => sum + value.byteLength, 0);
        expect(piece.entries.length <= 1 || bytes <= PIECE_BYTES).toBe(true);
        expect(piece.more).toBe(!pieces.isDone);
        complete = joined.add(piece);
      }
      expect(legible(complete)).toEqual(legible(given));
      expect(joined.bytes).toBe(0);
    }),
  );
});

test("a reset in the middle of a change begins anew", () => {
  const joined = new JoinedChange();
  joined.add({ reset: true, entries: [{ key: "old", value: bytesOf("1") }], removed: [], more: true });
  const complete = joined.add({ reset: true, entries: [{ key: "new", value: bytesOf("2") }], removed: [], more: false });
  expect(complete).toEqual({ reset: true, entries: [{ key: "new", value: bytesOf("2") }], removed: [] });
});

test("of several values for one key in a change the last one counts", () => {
  const joined = new JoinedChange();
  joined.add({ reset: false, entries: [{ key: "a", value: bytesOf("1") }], removed: ["b"], more: true });
  const complete = joined.add({ reset: false, entries: [{ key: "b", value: bytesOf("2") }], removed: ["a"], more: false });
  expect(complete).toEqual({ reset: false, entries: [{ key: "b", value: bytesOf("2") }], removed: ["a"] });
});

test("what is kept is a copy: the message that it came in is used again", () => {
  const joined = new JoinedChange();
  const message = bytesOf("before");
  const complete = joined.add({ reset: true, entries: [{ key: "a", value: message }], removed: [], more: false });
  message.fill(0);
  expect(complete?.entries[0]?.value).toEqual(bytesOf("before"));
});

test.each([
  ["bytes", { bytes: 1_100 }, "more than 1100 bytes"],
  ["entries", { entries: 2 }, "more than 2 entries"],
])("pieces without end hold no more %s than they may", (_, bounds, message) => {
  const joined = new JoinedChange(bounds);
  const add = (piece: number) =>
    joined.add({ reset: false, entries: [{ key: `k${piece}`, value: new Uint8Array(400) }], removed: [], more: true });
  add(0);
  add(1);
  expect(() => add(2)).toThrow(new ChangeError("size", message));
});
