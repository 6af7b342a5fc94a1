import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { literalWordsOf } from "./literal-words.ts";

const WEB = join(import.meta.dirname, "..", "..", "apps", "web");

function textsIn(jsx: string): string[] {
  return literalWordsOf("made.tsx", `export const made = ${jsx};`).map(({ text }) => text);
}

test("English is found between tags and in what people see or hear, wherever it stands in an expression", () => {
  expect(textsIn("<p>Not known <b>{count} of them</b></p>")).toEqual(["Not known", "of them"]);
  expect(textsIn('<p title="Why">{a ? "yes" : `about ${b || "several"}`}</p>')).toEqual(["Why", "yes", "about", "several"]);
  expect(textsIn('<StatePanel icon="search" say="Nothing here" more={a && "Try again"} />')).toEqual(["Nothing here", "Try again"]);
});

test("texts of a catalogue, choices, conditions and names are not literal English", () => {
  expect(textsIn('<p className="a b" title={say("why/why")}>{say("why/why")}: {name}, 7 %</p>')).toEqual([]);
  expect(textsIn('<Icon name={open ? "up" : "down"} path="/a b" />')).toEqual([]);
  expect(textsIn('<p>{kind === "Pod" && count} Binnacle</p>')).toEqual([]);
});

test("no component of the dashboard says anything that is in no catalogue", () => {
  const files = ["src/**/*.tsx", "app/**/*.tsx"].flatMap((pattern) => globSync(pattern, { cwd: WEB }));
  const components = files.filter((file) => !/\.(?:test|dev)\.tsx$/.test(file));
  const literal = components.flatMap((file) =>
    literalWordsOf(file, readFileSync(join(WEB, file), "utf8")).map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(components.length).toBeGreaterThan(100);
  expect(literal).toEqual([]);
});
