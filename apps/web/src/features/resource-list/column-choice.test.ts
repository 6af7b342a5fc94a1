import { expect, test } from "vitest";
import { gridOf, columnsText, shownColumns } from "./column-choice.ts";
import { COLUMNS } from "./columns.tsx";

const keysOf = (...[requested, preferred, managed]: Parameters<typeof shownColumns>) =>
  shownColumns(requested, preferred, managed).map(({ key }) => key);

test("an address names the columns, else what the reader prefers; the name is always there, and nonsense is all", () => {
  expect(keysOf(["age", "kind"], "owner", true)).toEqual(["kind", "name", "age"]);
  expect(keysOf([], "age,name", true)).toEqual(["name", "age"]);
  expect(keysOf(["<b>", "toString"], "", false)).toEqual(keysOf([], "", false));
  expect(keysOf([], "", false)).toHaveLength(COLUMNS.length - 1);
  expect(keysOf(["managed", "name"], "", false)).toEqual(["name"]);
});

test("all columns are nothing in an address", () => {
  expect(columnsText(COLUMNS.map(({ key }) => key))).toBe("");
  expect(columnsText(["name", "age"])).toBe("name,age");
});

test("a table is as wide as its columns must be", () => {
  const few = gridOf(shownColumns(["name", "restarts"], "", false));
  expect(few.template).toBe("28px minmax(220px, 1.6fr) 84px");
  expect(few.leastPx).toBe(28 + 48 + 220 + 84);
});
