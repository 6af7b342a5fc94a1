import { expect, test } from "vitest";

import { Progress } from "./progress.ts";
import { stylesOf } from "./styles.ts";
import { textTable } from "./text-table.ts";

test("columns are as wide as their widest cell, whatever colours it has, and lines have no space at their end", () => {
  const styled = { text: "Degraded", styled: "\u001B[31mDegraded\u001B[0m" };
  expect(
    textTable(
      ["NAME", "HEALTH", ""],
      [
        ["a", styled, "why"],
        ["longer", "Healthy", ""],
      ],
    ),
  ).toBe("NAME    HEALTH\na       \u001B[31mDegraded\u001B[0m  why\nlonger  Healthy\n");
});

test.each([
  [{ isOutputTerminal: false, env: {} }, false],
  [{ isOutputTerminal: true, env: { NO_COLOR: "1" } }, false],
  [{ isOutputTerminal: true, env: { TERM: "dumb" } }, false],
  [{ isOutputTerminal: true, env: {} }, true],
])("colours of %j: %s", (terminal, isColoured) => {
  expect(stylesOf(terminal).look("degraded", "text") !== "text").toBe(isColoured);
});

test("progress is one line that changes on a terminal, and a line for each change elsewhere", () => {
  const seen = (isErrorTerminal: boolean, isQuiet = false): string => {
    let text = "";
    const progress = new Progress({ isErrorTerminal, columns: 20, note: (more) => (text += more) }, isQuiet);
    for (const [what, beside] of [
      ["waiting", "1 s"],
      ["waiting", "2 s"],
      ["a text that is far too long", "3 s"],
    ] as const)
      progress.show(what, beside);
    progress.done();
    return text;
  };
  const clear = "\r\u001B[2K";
  expect(seen(true)).toBe(`${clear}waiting (1 s)${clear}waiting (2 s)${clear}a text that is far ${clear}`);
  expect(seen(false)).toBe("waiting\na text that is far too long\n");
  expect(seen(true, true)).toBe("");
});
