import {
  LogLevel,
  LogSourceState,
  ReadLogsResponseSchema,
  type LogSourceSchema,
  type ReadLogsResponse,
} from "@binnacle/proto/dashboard-logs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LogRow } from "./log-row.ts";
import { LogStore, type LogLimits, ContextGroups } from "./log-store.ts";

type Source = MessageInitShape<typeof LogSourceSchema>;
type Line = readonly [source: number, nanos: bigint, text: string];

const sources = (...list: readonly Source[]): ReadLogsResponse =>
  create(ReadLogsResponseSchema, { message: { case: "sources", value: { sources: [...list], isReadByAgent: true } } });
const source = (id: number, pod: string, rest: Source = {}): Source => ({
  id,
  namespace: "shop",
  pod,
  container: "app",
  containerId: `run-of-${pod}`,
  state: LogSourceState.READING,
  ...rest,
});
const lines = (...list: readonly Line[]): ReadLogsResponse =>
  create(ReadLogsResponseSchema, {
    message: {
      case: "lines",
      value: {
        lines: list.map(([id, timeNanos, text]) => ({ source: id, timeNanos, text, level: LogLevel.INFO })),
        positions: list.map(([id, nanos]) => ({
          namespace: "shop",
          pod: `web-${id}`,
          container: "app",
          containerId: `run-of-web-${id}`,
          time: { seconds: nanos / 1_000_000_000n },
          linesAtTime: 1,
        })),
      },
    },
  });
const gap = (id: number, after: bigint, before: bigint): ReadLogsResponse =>
  create(ReadLogsResponseSchema, {
    message: { case: "gap", value: { source: id, after: { seconds: after }, before: { seconds: before } } },
  });

const S = 1_000_000_000n;
const textOf = (row: LogRow): string => (row.type === "line" ? row.text : `gap ${row.afterNanos}–${row.beforeNanos}`);
const shown = (store: LogStore): string[] => store.snapshot().rows.map((row) => textOf(row));

function storeOf(limits?: LogLimits): LogStore {
  const store = new LogStore(() => undefined, { limits });
  store.beginStream();
  store.take(sources(source(1, "web-1"), source(2, "web-2")));
  return store;
}

test("lines of several sources are merged by time, and equal times keep the order of arrival", () => {
  const store = storeOf();
  store.take(lines([1, 1n, "a"], [1, 3n, "c"], [1, 5n, "e"]));
  store.flush();
  store.take(lines([2, 2n, "b"], [2, 3n, "d"], [2, 9n, "f"]));
  store.flush();
  expect(shown(store)).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("a flush says how many rows it shows: none while it is paused", () => {
  const store = storeOf();
  store.take(lines([1, 1n, "a"], [2, 2n, "b"]));
  expect(store.flush()).toBe(2);
  expect(store.flush()).toBe(0);
  store.pause();
  store.take(lines([1, 3n, "c"]));
  expect(store.flush()).toBe(0);
});

test("lines of one source stay in their order when its clock was set back, with the times that they have", () => {
  const store = storeOf();
  store.take(lines([1, 10n, "a"], [1, 4n, "b"], [2, 7n, "c"]));
  store.flush();
  expect(shown(store)).toEqual(["c", "a", "b"]);
  expect(store.snapshot().rows.at(-1)).toMatchObject({ timeNanos: 4n, atNanos: 10n });
});

test("every batch in every order gives what sorting all lines gives", () => {
  const batch = fc.array(fc.tuple(fc.constantFrom(1, 2, 3), fc.bigInt({ min: 0n, max: 40n })), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
      const store = storeOf();
      store.take(sources(source(3, "web-3")));
      const last = new Map<number, bigint>();
      const all: { at: bigint; text: string }[] = [];
      for (const each of batches) {
        const sent = each.map(([id, step], index) => {
          const at = (last.get(id) ?? 0n) + step;
          last.set(id, at);
          const text = `${id} ${at} ${all.length + index}`;
          return [id, at, text] as const;
        });
        all.push(...sent.map(([, at, text]) => ({ at, text })));
        store.take(lines(...sent));
        store.flush();
      }
      const sorted = all.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ text }) => text);
      expect(shown(store)).toEqual(sorted);
    }),
  );
});

test("older lines fall off at the limit of lines and at that of bytes, and are counted", () => {
  const store = storeOf({ lines: 3, bytes: 1_000_000 });
  store.take(lines([1, 1n, "a"], [1, 2n, "b"], [1, 3n, "c"], [1, 4n, "d"], [1, 5n, "e"]));
  store.flush();
  expect(shown(store)).toEqual(["c", "d", "e"]);
  expect(store.snapshot().dropped).toEqual({ lines: 2, untilNanos: 2n });
  const small = storeOf({ lines: 100, bytes: 1_000 });
  small.take(lines([1, 1n, "x".repeat(500)], [1, 2n, "y".repeat(500)], [1, 3n, "z"]));
  small.flush();
  expect(shown(small).map((text) => text[0])).toEqual(["y", "z"]);
});

test("rows stay as they are while it is paused, new lines are counted, and come when it goes on", () => {
  const store = storeOf();
  store.take(lines([1, 1n, "a"], [1, 5n, "b"]));
  store.pause();
  store.take(lines([2, 3n, "late"], [1, 6n, "c"]));
  store.flush();
  expect(shown(store)).toEqual(["a", "b"]);
  expect(store.snapshot()).toMatchObject({ isPaused: true, waiting: 2 });
  store.resume();
  expect(shown(store)).toEqual(["a", "late", "b", "c"]);
  expect(store.snapshot()).toMatchObject({ isPaused: false, waiting: 0 });
});

test("a paused store makes room for new lines, takes so many, and drops nothing that was not shown", () => {
  const store = storeOf({ lines: 10, bytes: 1_000_000 });
  store.take(lines(...Array.from({ length: 10 }, (_, index): Line => [1, BigInt(index), `old ${index}`])));
  store.flush();
  store.pause();
  expect(store.snapshot().rows).toHaveLength(8);
  expect(store.isFull).toBe(false);
  store.take(lines([1, 20n, "new 1"], [1, 21n, "new 2"]));
  expect(store.isFull).toBe(true);
  store.resume();
  expect(store.isFull).toBe(false);
  expect(shown(store).slice(-2)).toEqual(["new 1", "new 2"]);
});

test("after a reconnect a source is the same, independent of its number, with the position of its last line", () => {
  const store = storeOf();
  store.take(lines([1, 1n * S, "a"], [2, 2n * S, "b"]));
  store.flush();
  const before = store.snapshot().sources;
  store.beginStream();
  store.take(sources(source(7, "web-2"), source(8, "web-1", { state: LogSourceState.ENDED })));
  store.take(lines([7, 3n * S, "c"]));
  store.flush();
  expect(store.snapshot().sources.map(({ id, pod, colour }) => [id, pod, colour])).toEqual(
    before.map(({ id, pod, colour }) => [id, pod, colour]),
  );
  expect(store.snapshot().rows.map((row) => row.source)).toEqual([1, 2, 2]);
  expect(store.positions().map(({ pod, time }) => [pod, time?.seconds])).toEqual([
    ["web-1", 1n],
    ["web-2", 2n],
    ["web-7", 3n],
  ]);
});

test("a container that starts keeps its source, and one that restarts is another with the same colour", () => {
  const store = storeOf();
  store.take(sources(source(3, "web-3", { containerId: "", state: LogSourceState.WAITING })));
  store.take(sources(source(3, "web-3", { containerId: "first" })));
  store.take(sources(source(4, "web-3", { containerId: "second", restarts: 1 })));
  const runs = store.snapshot().sources.filter(({ pod }) => pod === "web-3");
  expect(runs.map(({ containerId }) => containerId)).toEqual(["first", "second"]);
  expect(new Set(runs.map(({ colour }) => colour)).size).toBe(1);
});

test("a gap is a row with both times, between the lines around it", () => {
  const store = storeOf();
  store.take(lines([1, 1n * S, "before"]));
  store.take(gap(1, 1n, 9n));
  store.take(lines([1, 9n * S, "after"], [2, 5n * S, "other"]));
  store.flush();
  expect(shown(store)).toEqual(["before", `gap ${S}–${9n * S}`, "other", "after"]);
});

test("a line of a source that was never named is left out", () => {
  const store = storeOf();
  store.take(lines([99, 1n, "of no source"]));
  store.flush();
  expect(shown(store)).toEqual([]);
});

/** Rows of a log by a letter each: `m` a match, `c` context, `g` a gap; upper case: of another source. */
function startsOf(letters: string, contextLines: number): readonly number[] {
  const groups = new ContextGroups(contextLines);
  for (const [id, letter] of letters.split("").entries()) groups.add(rowOf(id, letter));
  return [...groups.starts].toSorted((one, other) => one - other);
}

function rowOf(id: number, letter: string): LogRow {
  const source = letter === letter.toUpperCase() ? 2 : 1;
  const place = { id, source, atNanos: BigInt(id) };
  if (letter === "g") return { type: "gap", ...place, afterNanos: undefined, beforeNanos: undefined };
  const isContext = letter.toLowerCase() === "c";
  return { type: "line", ...place, timeNanos: BigInt(id), text: letter, cutBytes: 0, level: 0, isContext };
}

interface Case {
  readonly letters: string;
  readonly contextLines: number;
  readonly starts: readonly number[];
  readonly why: string;
}

test.each<Case>([
  {
    letters: "ccmccccmcc",
    contextLines: 2,
    starts: [5],
    why: "groups with all their context are separated after the context of the first",
  },
  { letters: "mcmccm", contextLines: 2, starts: [], why: "matches that share context are one group" },
  { letters: "mm", contextLines: 2, starts: [], why: "matches that follow each other are one group" },
  { letters: "mccmccm", contextLines: 1, starts: [2, 5], why: "each group is separated" },
  { letters: "mcccc", contextLines: 2, starts: [], why: "context after the last match begins no group before its match has come" },
  { letters: "mccgccm", contextLines: 2, starts: [], why: "missing lines have a row of their own" },
  { letters: "mMcCcCcCcCmM", contextLines: 2, starts: [6, 7], why: "each source has its own groups" },
  { letters: "mmm", contextLines: 0, starts: [], why: "without context there are no groups" },
])("$letters with $contextLines lines of context: $why", ({ letters, contextLines, starts }) => {
  expect(startsOf(letters, contextLines)).toEqual(starts);
});

test("a row that has fallen off is forgotten, and a stream that begins continues no group", () => {
  const groups = new ContextGroups(1);
  for (const [id, letter] of "mccm".split("").entries()) groups.add(rowOf(id, letter));
  expect([...groups.starts]).toEqual([2]);
  groups.forget(rowOf(2, "c"));
  groups.beginStream();
  for (const [id, letter] of "ccm".split("").entries()) groups.add(rowOf(10 + id, letter));
  expect([...groups.starts]).toEqual([]);
});
