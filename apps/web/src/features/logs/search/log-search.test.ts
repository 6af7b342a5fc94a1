import { openFilter, type LogFilterInit } from "@binnacle/pod-logs/filter";
import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";
import { systemClock } from "@binnacle/rpc";
import { afterAll, expect, test } from "vitest";
import type { LogRow } from "../store/log-row.ts";
import { LogSearch, openLogSearch, type FoundLines } from "./log-search.ts";

/** In place of the worker of the page: the same code in a thread of Node. */
const expressions = nodeExpressions(systemClock);
afterAll(() => expressions.close());

const row = (id: number, text: string): LogRow => ({
  type: "line",
  id,
  source: 1,
  atNanos: BigInt(id),
  timeNanos: BigInt(id),
  text,
  cutBytes: 0,
  level: 0,
  isContext: false,
});

function searchFor(text: string, now?: () => number): LogSearch {
  return new LogSearch(openFilter({ pattern: text }, expressions), now);
}

/** Searches until all is known. */
async function allFound(init: LogFilterInit, rows: readonly LogRow[]): Promise<{ readonly search: LogSearch; readonly found: FoundLines }> {
  const search = openLogSearch(init, expressions);
  if (!(search instanceof LogSearch)) throw new Error(search.problem);
  for (;;) {
    const { later, ...found } = search.advance(rows);
    if (found.isDone) return { search, found };
    await later;
  }
}

const found = (total: number) => ({ total, isDone: true, problem: "", later: undefined });

test("lines with a match are counted, also those that come later, and colours do not hide them", () => {
  const rows = [row(1, "level=\u001B[31merror\u001B[0m"), row(2, "fine"), row(3, "level=error")];
  const search = searchFor("level=error");
  expect(search.advance(rows)).toEqual(found(2));
  rows.push(row(4, "LEVEL=ERROR"));
  expect(search.advance(rows)).toEqual(found(3));
  expect(search.advance(rows.slice(2))).toEqual(found(2));
});

test("context of a match is no match, whatever its text", () => {
  const rows: readonly LogRow[] = [{ ...row(1, "hit"), isContext: true } as LogRow, row(2, "hit")];
  const search = searchFor("hit");
  expect(search.advance(rows)).toEqual(found(1));
  expect([search.next(rows, -1, 1), search.next(rows, 1, 1), search.numberOf(rows, 1)]).toEqual([1, 1, 0]);
});

test("the next and the previous match are found round the ends", () => {
  const rows = [row(1, "hit"), row(2, "-"), row(3, "hit"), row(4, "-")];
  const search = searchFor("hit");
  search.advance(rows);
  expect(search.next(rows, 0, 1)).toBe(2);
  expect(search.next(rows, 2, 1)).toBe(0);
  expect(search.next(rows, 0, -1)).toBe(2);
  expect(search.next(rows, -1, 1)).toBe(0);
  expect(search.numberOf(rows, 3)).toBe(2);
  expect(search.numberOf(rows, 2)).toBe(0);
  expect(searchFor("none").next(rows, 0, 1)).toBe(-1);
});

test("many lines are searched in turns, the newest first", () => {
  let now = 0;
  const rows = Array.from({ length: 10_000 }, (_, index) => row(index, index % 2 === 0 ? "hit" : "-"));
  const search = searchFor("hit", () => (now += 1));
  const first = search.advance(rows);
  expect(first.isDone).toBe(false);
  expect(first.total).toBeGreaterThan(0);
  expect(rows.slice(-10).filter((each) => search.isMatch(each))).toHaveLength(5);
  let next = first;
  for (let turn = 0; turn < 1_000 && !next.isDone; turn += 1) next = search.advance(rows);
  expect(next).toEqual(found(5_000));
});

test("an expression is searched beside the page, in several parts, and lines that come later with it", { timeout: 60_000 }, async () => {
  const rows = Array.from({ length: 9_000 }, (_, index) => row(index, index % 3 === 0 ? `\u001B[31mstatus=50${index % 10}` : "-"));
  const init = { pattern: String.raw`^STATUS=50[0-4]`, isRegularExpression: true };
  const expected = rows.filter((_, index) => index % 3 === 0 && index % 10 < 5).length;
  const { search, found: all } = await allFound(init, rows);
  expect(all).toEqual({ total: expected, isDone: true, problem: "" });
  expect(search.numberOf(rows, 8_997)).toBe(0);
  expect(search.isMatch(rows[8_994] ?? row(0, ""))).toBe(true);
  rows.push(row(9_000, "status=503"));
  const first = search.advance(rows);
  expect([first.total, first.isDone]).toEqual([expected, false]);
  // The page asks again while the thread is searching: nothing is sent twice.
  expect(search.advance(rows).later).toBe(first.later);
  await first.later;
  expect(search.advance(rows)).toEqual(found(expected + 1));
});

test("a search that is cancelled has no problem, and goes on when it is wanted again", { timeout: 60_000 }, async () => {
  const rows = [row(1, "aab"), row(2, "-")];
  const search = new LogSearch(openFilter({ pattern: "a+b", isRegularExpression: true }, expressions));
  const { later } = search.advance(rows);
  search.cancel();
  await later;
  const again = search.advance(rows);
  expect([again.total, again.isDone, again.problem]).toEqual([0, false, ""]);
  await again.later;
  expect(search.advance(rows)).toEqual(found(1));
});

test.each([
  ["(", true, "missing closing )"],
  ["a(?=b)", true, "(?="],
  ["a".repeat(1_001), false, "1000 characters"],
])("%.9s cannot be searched with, and why is known without a line", { timeout: 60_000 }, async (pattern, isRegularExpression, named) => {
  const init = { pattern, isRegularExpression };
  const opened = openLogSearch(init, expressions);
  const { problem } = opened instanceof LogSearch ? (await allFound(init, [])).found : opened;
  expect(problem).toContain(named);
});

test("the matches of lines that are shown are found together and retained", { timeout: 60_000 }, async () => {
  const { ranges } = (await allFound({ pattern: "a+", isRegularExpression: true }, [])).search;
  expect(ranges.known("aab")).toBeUndefined();
  const loads = [ranges.load("aab"), ranges.load("ba"), ranges.load("b")];
  expect(new Set(loads).size).toBe(1);
  await Promise.all(loads);
  expect(["aab", "ba", "b"].map((line) => ranges.known(line))).toEqual([[{ start: 0, end: 2 }], [{ start: 1, end: 2 }], []]);
  await Promise.all(Array.from({ length: 600 }, (_, n) => ranges.load(`a ${n}`)));
  expect([ranges.known("aab"), ranges.known("a 99"), ranges.known("a 100")]).toEqual([undefined, undefined, [{ start: 0, end: 1 }]]);
  const { ranges: broken } = new LogSearch(openFilter({ pattern: "(", isRegularExpression: true }, expressions));
  await broken.load("(");
  expect(broken.known("(")).toEqual([]);
});
