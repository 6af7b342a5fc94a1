import fc from "fast-check";
import { expect, test } from "vitest";

import { ChangeError, type ReplicaChange } from "./joined-change.ts";
import { ChangePieces, type ChangePiece, PublishedTable } from "./published-table.ts";
import { Replica, type ReplicaState } from "./replica.ts";

const piece = (of: Partial<ChangePiece>, ...keys: string[]): ChangePiece => ({
  reset: false,
  removed: [],
  more: false,
  ...of,
  entries: keys.map((key) => ({ key, value: Uint8Array.of(1) })),
});
const keysOf = ({ table }: Replica): string[] => table.entries().map(({ key }) => key);
const legible = (table: PublishedTable): string[] =>
  table
    .entries()
    .map(({ key, value }) => `${key}=${value.join()}`)
    .toSorted();

test("pieces are applied together, with the last one", () => {
  const replica = new Replica();
  expect(replica.receive(piece({ reset: true, more: true }, "a"))).toBe(false);
  expect([replica.state, keysOf(replica), replica.bytes > 0]).toEqual(["empty", [], true]);
  expect(replica.receive(piece({}, "b"))).toBe(true);
  expect([replica.state, keysOf(replica)]).toEqual(["complete", ["a", "b"]]);
});

test("an empty snapshot is content", () => {
  const replica = new Replica();
  replica.receive(piece({ reset: true }));
  expect(replica.state).toBe("complete");
});

test("a sender that starts over begins with a snapshot, and the table stays until that is complete", () => {
  const replica = new Replica();
  expect(() => replica.receive(piece({}, "a"))).toThrow(new ChangeError("rules", "a change before the first snapshot"));
  replica.receive(piece({ reset: true }, "a"));
  replica.receive(piece({ more: true }, "b"));
  replica.restart();
  expect(() => replica.receive(piece({}, "c"))).toThrow(ChangeError);
  replica.receive(piece({ reset: true, more: true }, "d"));
  expect(keysOf(replica)).toEqual(["a"]);
  replica.receive(piece({}));
  expect(keysOf(replica)).toEqual(["d"]);
});

test("pieces whose rest is not received are not applied, and cost nothing any more", () => {
  const replica = new Replica();
  replica.receive(piece({ reset: true }, "a"));
  const { bytes } = replica;
  replica.receive(piece({ more: true }, "b"));
  expect(replica.bytes).toBeGreaterThan(bytes);
  replica.discardPieces();
  expect(replica.bytes).toBe(bytes);
  replica.receive(piece({}, "c"));
  expect(keysOf(replica)).toEqual(["a", "c"]);
});

test.each([
  ["an entry without a key", piece({ reset: true }, "")],
  ["an entry with a longer key than is allowed", piece({ reset: true }, "abcd")],
  ["a removed key that is too long", piece({ reset: true, removed: ["abcd"] })],
])("%s is refused, and what was received before stays", (_, wrong) => {
  const replica = new Replica({ bounds: { keyLength: 3 } });
  replica.receive(piece({ reset: true }, "abc"));
  expect(() => replica.receive(wrong)).toThrow(expect.objectContaining({ kind: "rules" }));
  expect(keysOf(replica)).toEqual(["abc"]);
});

const DONE = "complete";
const SNAPSHOT = { reset: true, removed: [], more: false };
const entries = (...keys: string[]) => keys.map((key) => ({ key, value: Uint8Array.of(1) }));

test.each([
  ["the first snapshot, of half", [{ ...SNAPSHOT, entries: entries("a") }], "partial"],
  [
    "the rest of it",
    [
      { ...SNAPSHOT, entries: entries("a") },
      { ...SNAPSHOT, reset: false, entries: entries(DONE) },
    ],
    "complete",
  ],
  [
    "another snapshot, of half",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { ...SNAPSHOT, entries: [] },
    ],
    "pending",
  ],
  [
    "a change that takes completeness back",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { reset: false, removed: [DONE], entries: [] },
    ],
    "pending",
  ],
  [
    "a change of the half of another snapshot",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { ...SNAPSHOT, entries: [] },
      { ...SNAPSHOT, reset: false, entries: entries("a") },
    ],
    "pending",
  ],
  [
    "the rest of another snapshot",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { ...SNAPSHOT, entries: [] },
      { ...SNAPSHOT, reset: false, entries: entries(DONE) },
    ],
    "complete",
  ],
  [
    "half of a snapshot of other rights",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { ...SNAPSHOT, rights: "other", entries: [] },
    ],
    "partial",
  ],
  [
    "half of a snapshot of other rights while one is pending",
    [
      { ...SNAPSHOT, entries: entries(DONE) },
      { ...SNAPSHOT, entries: [] },
      { ...SNAPSHOT, rights: "other", entries: [] },
    ],
    "partial",
  ],
] satisfies [string, ReplicaChange[], ReplicaState][])("after %s the state is what is shown", (_, changes, state) => {
  const replica = new Replica({ isComplete: (table) => table.get(DONE) !== undefined });
  expect(replica.state).toBe("empty");
  for (const change of changes) replica.receive(change);
  expect(replica.state).toBe(state);
});

test("however a table changes and its changes are cut, a replica of it ends up equal, and so does one of that", () => {
  const key = fc.constantFrom("a", "bb", "ccc", "dddd");
  const step = fc.oneof(
    fc.record({ does: fc.constant("put" as const), key, value: fc.nat(3) }),
    fc.record({ does: fc.constant("remove" as const), key }),
    fc.record({
      does: fc.constant("send" as const),
      pieceBytes: fc.integer({ min: 1, max: 60 }),
      received: fc.integer({ min: 1, max: 4 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [table, first, second] = [new PublishedTable(), new Replica(), new Replica()];
      let reader = table.open(() => {});
      const passed = first.table.open(() => {});
      const send = (pieceBytes: number, received: number): void => {
        const change = reader.take();
        if (change === undefined) return;
        const pieces = new ChangePieces(change, pieceBytes);
        for (let count = 0; count < received; count += 1) {
          const next = pieces.next();
          if (next !== undefined) first.receive(next);
        }
        // The connection is lost in the middle of a change.
        if (!pieces.isDone) {
          first.restart();
          reader.close();
          reader = table.open(() => {});
        }
        const onward = passed.take();
        if (onward) second.receive({ ...onward, more: false });
      };
      for (const each of steps) {
        if (each.does === "put") table.put(each.key, Uint8Array.of(each.value));
        else if (each.does === "remove") table.remove(each.key);
        else send(each.pieceBytes, each.received);
      }
      reader.close();
      reader = table.open(() => {});
      first.restart();
      send(Number.POSITIVE_INFINITY, 1);
      expect(legible(first.table)).toEqual(legible(table));
      expect(legible(second.table)).toEqual(legible(table));
      expect([first.bytes, first.table.bytes]).toEqual([second.bytes, table.bytes]);
    }),
  );
});
