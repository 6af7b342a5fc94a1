import { expect, test } from "vitest";

import { floorProblems, type FloorPlan } from "./floors.ts";
import { SourceTree } from "./source-tree.ts";

const PLAN: FloorPlan = { base: "src", floors: [["ground"], ["left", "right"], ["."]] };
const HOUSE = { "src/ground/g.ts": "", "src/left/l.ts": "", "src/right/r.ts": "", "src/main.ts": "" };

const problemsOf = (texts: Readonly<Record<string, string>>): string[] => floorProblems(new SourceTree({ ...HOUSE, ...texts }), PLAN);

test("imports of lower floors, within a room and of the outside are none", () => {
  const texts = {
    "src/left/deep/x.ts": 'import { l } from "../l.ts"; import { g } from "../../ground/g.ts"; import { u } from "../../../ui/u.ts";',
    "src/main.ts": 'import "./left/l.ts"; import { g } from "./ground/g.ts";',
  };
  expect(problemsOf(texts)).toEqual([]);
});

test("an import upwards is one without a ring too, and for a type alone", () => {
  expect(problemsOf({ "src/ground/x.ts": 'import type { L } from "../left/l.ts";' })).toEqual([
    "src/ground/x.ts: src/ground imports left, which is on a floor above",
  ]);
  expect(problemsOf({ "src/left/x.ts": 'import { main } from "../main.ts";' })).toEqual([
    "src/left/x.ts: src/left imports ., which is on a floor above",
  ]);
});

test("rooms of one floor do not import each other", () => {
  expect(problemsOf({ "src/left/x.ts": 'const r = import("../right/r.ts");' })).toEqual([
    "src/left/x.ts: src/left imports right, which is on the same floor",
  ]);
});

test.each(["src/left/x.test.ts", "src/left/x.itest.ts"])("the test %s imports lower rooms only, like its room", (path) => {
  const text = 'import { main } from "../main.ts";';
  expect(problemsOf({ [path]: text })).toEqual([`${path}: src/left imports ., which is on a floor above`]);
});

test("tests directly in the folder import any room", () => {
  const plan = { ...PLAN, floors: [...PLAN.floors, ["testing"]] };
  const tree = new SourceTree({ ...HOUSE, "src/testing/t.ts": "", "src/all.test.ts": 'import { t } from "./testing/t.ts";' });
  expect(floorProblems(tree, plan)).toEqual([]);
});

test("a room without a floor, and a floor without its room, are named", () => {
  expect(problemsOf({ "src/attic/a.ts": "" })).toEqual(["src/attic is on no floor of scripts/check/floors.ts"]);
  const tree = new SourceTree({ "src/ground/g.ts": "", "src/left/l.ts": "", "src/main.ts": "" });
  expect(floorProblems(tree, PLAN)).toEqual(["src/right has a floor in scripts/check/floors.ts, and no sources"]);
});

test("a room has at most 20 files and 2,500 lines, tests and what they are made with apart", () => {
  const files = (count: number, name: (index: number) => string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), "\n"]));
  expect(problemsOf(files(19, (index) => `src/left/f${index}.ts`))).toEqual([]);
  expect(problemsOf(files(20, (index) => `src/left/deep/f${index}.ts`))).toEqual(["src/left has 21 files without tests; at most 20"]);
  expect(problemsOf(files(30, (index) => `src/left/f${index}.property.test.ts`))).toEqual([]);
  expect(problemsOf(files(30, (index) => `src/left/testing/f${index}.ts`))).toEqual([]);
  expect(problemsOf({ "src/left/long.ts": "\n".repeat(2_500) })).toEqual([]);
  expect(problemsOf({ "src/left/long.ts": "\n".repeat(2_501) })).toEqual(["src/left has 2501 lines without tests; at most 2500"]);
});
