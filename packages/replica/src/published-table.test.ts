import fc from "fast-check";
import { expect, test } from "vitest";

import { PublishedTable, type TableChange } from "./published-table.ts";

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
