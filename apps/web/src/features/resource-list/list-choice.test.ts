import { expect, test } from "vitest";
import { chooseAll, chooseNone, chooseTo, moveTo, NO_CHOICE, tabStopOf, toggle } from "./list-choice.ts";

const IDS = ["a", "b", "c", "d", "e"];

test("one row is the tab stop: the current one, and what stands in its place once it is gone", () => {
  expect(tabStopOf(NO_CHOICE, IDS)).toBe("a");
  const at = moveTo(NO_CHOICE, IDS, "c");
  expect(tabStopOf(at, IDS)).toBe("c");
  expect(tabStopOf(at, ["a", "b", "d", "e"])).toBe("d");
  expect(tabStopOf(at, ["a", "b"])).toBe("b");
  expect(tabStopOf(at, [])).toBeUndefined();
});

test("Shift chooses from where it began, and gives back what it goes back over, but nothing that was chosen before", () => {
  let choice = toggle(moveTo(NO_CHOICE, IDS, "e"), "e");
  choice = moveTo(choice, IDS, "a");
  for (const id of ["b", "c", "d"]) choice = chooseTo(choice, IDS, id);
  expect([...choice.chosen].toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  choice = chooseTo(choice, IDS, "b");
  expect([...choice.chosen].toSorted()).toEqual(["a", "b", "e"]);
  expect(choice.current).toBe("b");
});

test("x chooses and leaves out, Escape leaves out all, and a range begins anew after a move", () => {
  const one = toggle(moveTo(NO_CHOICE, IDS, "b"), "b");
  expect([...toggle(one, "b").chosen]).toEqual([]);
  expect(chooseNone(chooseAll(one, IDS)).chosen.size).toBe(0);
  expect(chooseAll(one, IDS).chosen.size).toBe(5);
  expect([...chooseTo(moveTo(one, IDS, "d"), IDS, "e").chosen].toSorted()).toEqual(["b", "d", "e"]);
});
