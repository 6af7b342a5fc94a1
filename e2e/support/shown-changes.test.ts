import { expect, test } from "vitest";

import { lagsOf, seriesOf, type Shown } from "./shown-changes.ts";

const shown: readonly Shown[] = [
  { atMs: 90, changes: { yaml: 0 } },
  { atMs: 150, changes: { yaml: 1, condition: 0 } },
  { atMs: 500, changes: { yaml: 3, condition: 2 } },
];

test("a change counts as shown when a later one is", () => {
  expect(lagsOf([100, 200, 300], shown, "yaml")).toEqual([50, 300, 200]);
  expect(lagsOf([100, 200, 300], shown, "condition")).toEqual([400, 300]);
  expect(lagsOf([100], shown, "event")).toEqual([]);
});

test("what is on the page before its writer knows that it is written does not lag", () => {
  expect(lagsOf([160], shown, "yaml")).toEqual([0]);
});

test("a series has what was shown and nothing for what was not", () => {
  expect(seriesOf(shown, "condition")).toEqual([0, 2]);
});
