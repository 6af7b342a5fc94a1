import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { diffRuns, type DiffRun } from "./diff-lines.ts";

const numbered = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, index) => `l${from + index}\n`).join("");
/** "kind desiredLine liveLine count". */
const short = ({ kind, lines, desiredLine, liveLine }: DiffRun): string =>
  `${kind} ${desiredLine ?? "-"} ${liveLine ?? "-"} ${lines.length}`;

describe("the diff of two texts", () => {
  test("has the line of either side with its number, and three unchanged ones around", () => {
    const runs = diffRuns(`${numbered(1, 20)}a\n${numbered(21, 40)}`, `${numbered(1, 20)}b\nc\n${numbered(21, 40)}`);
    expect(runs?.map(short)).toEqual(["folded 1 1 17", "same 18 18 3", "desired 21 - 1", "live - 21 2", "same 22 23 3", "folded 25 26 17"]);
    expect(runs?.[3]?.lines).toEqual(["b", "c"]);
  });
  test("folds nothing that is short, and everything when nothing differs", () => {
    expect(diffRuns(`${numbered(1, 3)}a\n`, `${numbered(1, 3)}b\n`)?.map(short)).toEqual(["same 1 1 3", "desired 4 - 1", "live - 4 1"]);
    expect(diffRuns(numbered(1, 9), numbered(1, 9))?.map(short)).toEqual(["folded 1 1 9"]);
  });
  test("ends when more than a thousand lines differ", () => {
    expect(diffRuns(numbered(1, 499), numbered(501, 999))?.map(({ kind }) => kind)).toEqual(["desired", "live"]);
    expect(diffRuns(numbered(1, 1_000), numbered(1_001, 2_000))).toBeUndefined();
  });
  test("is both texts again, with every line at its number, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", " c"), { minLength: 1, maxLength: 40 }).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(text, text, (desired, live) => {
        const runs = diffRuns(desired, live) ?? [];
        for (const side of ["desired", "live"] as const) {
          const other = side === "desired" ? "live" : "desired";
          const lines = runs
            .filter(({ kind }) => kind !== other)
            .flatMap((run) => run.lines.map((line, index) => [(run[`${side}Line`] ?? 0) + index, line]));
          const expected = (side === "desired" ? desired : live).replace(/\n$/, "").split("\n");
          expect(lines).toEqual(expected.map((line, index) => [index + 1, line]));
        }
      }),
    );
  });
});
