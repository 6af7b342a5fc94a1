import { expect, test } from "vitest";
import { ContextGroups } from "./context-groups.ts";
import type { LogRow } from "./log-row.ts";

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
