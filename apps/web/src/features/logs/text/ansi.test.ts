import fc from "fast-check";
import { expect, test } from "vitest";
import { plainLine, styledParts, type StyledText } from "./ansi.ts";

const parts = (text: string): StyledText[] => {
  const line = plainLine(text);
  return styledParts(line, 0, line.text.length);
};

test("colours and looks of a terminal are followed, and end where they are reset", () => {
  expect(parts("\u001B[1;31mERROR\u001B[0m no disk \u001B[92mok\u001B[39m.")).toEqual([
    { text: "ERROR", style: { isBold: true, colour: "red" } },
    { text: " no disk ", style: {} },
    { text: "ok", style: { colour: "green" } },
    { text: ".", style: {} },
  ]);
});

test.each([
  ["\u001B[38;5;196mx", "red"],
  ["\u001B[38;5;10mx", "green"],
  ["\u001B[38;5;240mx", "white"],
  ["\u001B[38;2;250;200;10mx", "yellow"],
  ["\u001B[38;2;20;20;200mx", "blue"],
  ["\u001B[38:5:51mx", "cyan"],
  ["\u001B[48;5;1;35mx", "magenta"],
])("%j has the nearest colour that every theme shows", (text, colour) => {
  expect(parts(text)).toEqual([{ text: "x", style: { colour } }]);
});

test("sequences that do more than set looks stay in the text", () => {
  const text = "\u001B[2Jclear \u001B]8;;http://evil\u0007link \u001B[1A";
  expect(plainLine(text).text).toBe(text);
});

test("the parts of any line are its text, wherever it is cut", () => {
  const piece = fc.oneof(fc.constantFrom("\u001B[31m", "\u001B[0m", "\u001B[38;5m", "\u001B[;m", "\u001B[999m", "\u001B["), fc.string());
  fc.assert(
    fc.property(fc.array(piece), fc.nat(20), (pieces, from) => {
      const line = plainLine(pieces.join(""));
      const to = line.text.length;
      const cut = styledParts(line, Math.min(from, to), to);
      expect(cut.map(({ text }) => text).join("")).toBe(line.text.slice(from));
      expect(cut.every(({ text }) => text !== "")).toBe(true);
    }),
  );
});
