import { expect, test } from "vitest";

import type { ExportScope } from "../export/export-scope.ts";
import { dotOf } from "./dot-writer.ts";
import type { ExportedCard, ExportedPicture } from "./exported-picture.ts";

const SCOPE: ExportScope = {
  subject: "graph",
  project: "group/app",
  environment: 'prod"; evil',
  part: "",
  filters: [],
  asOfMs: 0,
  asOf: "As of then",
  connection: "Live",
  gaps: [],
};

const HOSTILE = ['"', "\\", '\\"', "a\nb", '"]; evil [label="', "<b>x</b>", "{a|b}", "\\N", "\u0000"];

function cardOf(name: string, index: number): ExportedCard {
  return {
    id: `c${index}`,
    x: 0,
    y: 0,
    kind: "po",
    name,
    fact: name,
    look: "degraded",
    word: "Degraded",
    strip: name,
    outline: "dashed",
    title: name,
  };
}

const PICTURE: ExportedPicture = {
  cardWidth: 1,
  cardHeight: 1,
  stripHeight: 1,
  cards: HOSTILE.map(cardOf),
  lines: [
    { source: "c0", target: "c1", path: "", style: "routes", idle: false, mark: 'no "such" port', markAt: { x: 0, y: 0 } },
    { source: "c0", target: "gone", path: "", style: "owns", idle: false, mark: "", markAt: { x: 0, y: 0 } },
  ],
  columns: [],
  legend: [{ style: "routes", text: "routes", count: 1 }],
  marks: [],
};

test("no name ends a string or begins a statement of Graphviz", async () => {
  const text = await dotOf(PICTURE, SCOPE);
  const string = String.raw`"(?:[^"\\]|\\["\\n])*"`;
  const value = `(?:${string}|[a-z]+)`;
  const list = String.raw`\[[a-z]+=${value}(?:, [a-z]+=${value})*\]`;
  const allowed = new RegExp(
    String.raw`^(?:digraph environment \{|\}| {2}rankdir=LR;| {2}label=${string};| {2}node ${list};| {2}n\d+ ${list};| {2}n\d+ -> n\d+ ${list};)$`,
  );
  expect(
    text
      .trimEnd()
      .split("\n")
      .filter((line) => !allowed.test(line)),
  ).toEqual([]);
});

test("cards, lines between them and what the file is about are there", async () => {
  const text = await dotOf(PICTURE, SCOPE);
  expect(text.match(/^ {2}n\d+ \[/gm)).toHaveLength(HOSTILE.length);
  expect(text.match(/ -> /g)).toHaveLength(1);
  expect(text).toContain(String.raw`n0 -> n1 [color=`);
  expect(text).toContain("As of then. Live.");
  expect(text).toContain("routes (1)");
});
