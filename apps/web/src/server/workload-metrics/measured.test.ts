import { expect, test } from "vitest";

import { summedLines } from "./measured.ts";

const NONE = Number.NaN;

test("lines of namespaces are one sum; a moment is a gap only where there is no measurement", () => {
  const lines = [
    { name: "usage", query: "a", values: [1, NONE, NONE] },
    { name: "limits", query: "l", values: [4, 4, 4] },
    { name: "usage", query: "b", values: [2, 3, NONE] },
  ];
  expect(summedLines(lines)).toEqual([
    { name: "usage", queries: ["a", "b"], values: [3, 3, NONE] },
    { name: "limits", queries: ["l"], values: [4, 4, 4] },
  ]);
});

test("a zero is measured, and what was never measured is no line", () => {
  expect(
    summedLines([
      { name: "usage", values: [NONE, 0] },
      { name: "limits", values: [NONE, NONE] },
    ]),
  ).toEqual([{ name: "usage", queries: [], values: [NONE, 0] }]);
});
