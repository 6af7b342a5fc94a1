import { expect, test } from "vitest";
import type { LogRow } from "../store/log-row.ts";
import { lineMatcher } from "./line-matcher.ts";
import { LogSearch } from "./log-search.ts";

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
  const matcher = lineMatcher({ text, isExpression: false, matchesCase: false });
  if ("problem" in matcher) throw new Error(matcher.problem);
  return new LogSearch(matcher, now);
}

test("lines with a match are counted, also those that come later, and colours do not hide them", () => {
  const rows = [row(1, "level=\u001B[31merror\u001B[0m"), row(2, "fine"), row(3, "level=error")];
  const search = searchFor("level=error");
  expect(search.advance(rows)).toEqual({ total: 2, isDone: true });
  rows.push(row(4, "LEVEL=ERROR"));
  expect(search.advance(rows)).toEqual({ total: 3, isDone: true });
  expect(search.advance(rows.slice(2))).toEqual({ total: 2, isDone: true });
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
  let found = first;
  for (let turn = 0; turn < 1_000 && !found.isDone; turn += 1) found = search.advance(rows);
  expect(found).toEqual({ total: 5_000, isDone: true });
});
