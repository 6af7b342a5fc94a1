import { expect, test } from "vitest";

import { changesOf, isTwice, rowsOf, withRow } from "./labels-dialog.tsx";

const PRESENT = [
  { annotation: false, key: "app", value: "web" },
  { annotation: true, key: "app", value: "note" },
];

test("rows that are as the object has them change nothing", () => {
  expect(changesOf(rowsOf(PRESENT))).toEqual([]);
  expect(changesOf(withRow(rowsOf(PRESENT), false)), "an empty row").toEqual([]);
});

test("another value, a removed key and a new row are changes", () => {
  const [label, annotation] = rowsOf(PRESENT);
  if (label === undefined || annotation === undefined) throw new Error("two rows");
  const rows = withRow(
    [
      { ...label, value: "" },
      { ...annotation, isRemoved: true },
    ],
    true,
  );
  const filled = rows.map((row) => (row.present === undefined ? { ...row, key: "owner", value: "shop" } : row));
  expect(changesOf(filled)).toEqual([
    { annotation: false, key: "app", value: "" },
    { annotation: true, key: "app" },
    { annotation: true, key: "owner", value: "shop" },
  ]);
});

test("a reverse is made to the rows, and is what they change", () => {
  const reverse = [
    { annotation: false, key: "app", value: "api" },
    { annotation: true, key: "app" },
    { annotation: true, key: "owner", value: "shop" },
    { annotation: false, key: "gone" },
  ];
  expect(changesOf(rowsOf(PRESENT, reverse))).toEqual(reverse.slice(0, 3));
});

test("a new row has the key of another one only among its own kind", () => {
  const add = (annotation: boolean, key: string) => {
    const rows = withRow(rowsOf(PRESENT), annotation).map((row) => (row.present === undefined ? { ...row, key } : row));
    const last = rows.at(-1);
    return last !== undefined && isTwice(rows, last);
  };
  expect([add(false, "app"), add(true, "app"), add(false, "other")]).toEqual([true, true, false]);
  const [only] = rowsOf(PRESENT.slice(0, 1));
  expect(only && isTwice(rowsOf(PRESENT), only), "a row of the object").toBe(false);
});
