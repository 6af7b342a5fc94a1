import fc from "fast-check";
import { expect, test } from "vitest";

import { PublishedTable, type TableChange, ChangePieces } from "./published-table.ts";
import { ChangeError, JoinedChange } from "./joined-change.ts";

const bytesOf = (value: number): Uint8Array => Uint8Array.of(value);
const texts = (change: TableChange | undefined) =>
  change && { ...change, entries: change.entries.map(({ key, value }) => `${key}=${value.join()}`) };

test("a reader is given everything, then what has changed, and nothing while nothing has", () => {
  const table = new PublishedTable();
  table.put("a", bytesOf(1));
  const reader = table.open(() => {});
  expect(texts(reader.take())).toEqual({ reset: true, entries: ["a=1"], removed: [] });
  table.put("a", bytesOf(1));
  expect(reader.take()).toBeUndefined();
  table.put("b", bytesOf(2));
  table.put("b", bytesOf(3));
  table.remove("a");
  expect(texts(reader.take())).toEqual({ reset: false, entries: ["b=3"], removed: ["a"] });
});

test("an empty table is something to know", () => {
  expect(texts(new PublishedTable().open(() => {}).take())).toEqual({ reset: true, entries: [], removed: [] });
});

test("ready is called once until something is taken, never inside another call, and not after the end", async () => {
  const table = new PublishedTable();
  let rings = 0;
  const reader = table.open(() => (rings += 1));
  expect(rings).toBe(0);
  await Promise.resolve();
  table.put("a", bytesOf(1));
  table.announce();
  table.announce();
  await Promise.resolve();
  expect(rings).toBe(1);
  reader.take();
  table.announce();
  await Promise.resolve();
  expect(rings).toBe(1);
  table.put("a", bytesOf(2));
  table.announce();
  await Promise.resolve();
  expect(rings).toBe(2);
  reader.close();
  expect(table.readers).toBe(0);
});

test("whatever happens to a table and whenever its readers look, a table that follows ends up equal, in size too", () => {
  const key = fc.constantFrom("a", "bb", "ccc", "dddd");
  const step = fc.oneof(
    fc.record({ does: fc.constant("put" as const), key, value: fc.nat(3) }),
    fc.record({ does: fc.constant("remove" as const), key }),
    fc.record({ does: fc.constant("take" as const) }),
    fc.record({ does: fc.constant("come back" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [table, follower, end] = [new PublishedTable(), new PublishedTable(), new PublishedTable()];
      let reader = table.open(() => {});
      const last = end.open(() => {});
      const next = follower.open(() => {});
      const take = (): void => {
        const change = reader.take();
        if (change) follower.apply(change);
        const passed = next.take();
        if (passed) end.apply(passed);
      };
      for (const each of steps) {
        if (each.does === "put") table.put(each.key, bytesOf(each.value));
        else if (each.does === "remove") table.remove(each.key);
        else if (each.does === "take") take();
        else {
          reader.close();
          reader = table.open(() => {});
        }
      }
      take();
      const all = (of: PublishedTable) => texts(of.open(() => {}).take())?.entries.toSorted();
      expect(all(follower)).toEqual(all(table));
      expect(all(end)).toEqual(all(table));
      expect([follower.bytes, end.bytes, end.size]).toEqual([table.bytes, table.bytes, table.size]);
      last.close();
    }),
  );
});

const PIECE_BYTES = 256 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);

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
  joined.add({ reset: true, entries: [{ key: "old", value: encode("1") }], removed: [], more: true });
  const complete = joined.add({ reset: true, entries: [{ key: "new", value: encode("2") }], removed: [], more: false });
  expect(complete).toEqual({ reset: true, entries: [{ key: "new", value: encode("2") }], removed: [] });
});

test("of several values for one key in a change the last one counts", () => {
  const joined = new JoinedChange();
  joined.add({ reset: false, entries: [{ key: "a", value: encode("1") }], removed: ["b"], more: true });
  const complete = joined.add({ reset: false, entries: [{ key: "b", value: encode("2") }], removed: ["a"], more: false });
  expect(complete).toEqual({ reset: false, entries: [{ key: "b", value: encode("2") }], removed: ["a"] });
});

test("what is kept is a copy: the message that it came in is used again", () => {
  const joined = new JoinedChange();
  const message = encode("before");
  const complete = joined.add({ reset: true, entries: [{ key: "a", value: message }], removed: [], more: false });
  message.fill(0);
  expect(complete?.entries[0]?.value).toEqual(encode("before"));
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
