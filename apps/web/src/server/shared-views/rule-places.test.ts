import { expect, test } from "vitest";

import { RulePlaces } from "./rule-places.ts";

function full(...ids: string[]): RulePlaces {
  const places = new RulePlaces(ids.length);
  for (const id of ids) {
    places.take(id);
    places.look(id, 1);
  }
  return places;
}

test("64 sets have a place, scopes with the same set share it, and the next set has none", () => {
  const places = new RulePlaces();
  for (let index = 0; index < 64; index += 1) {
    expect(places.admits(`set-${index}`)).toBe(true);
    places.take(`set-${index}`);
  }
  expect([places.admits("set-64"), places.admits("set-7")]).toEqual([false, true]);
});

test("a set keeps its place until the last of its scopes is closed", () => {
  const places = full("a");
  places.take("a");
  places.free("a");
  expect(places.admits("b")).toBe(false);
  places.free("a");
  expect(places.admits("b")).toBe(true);
});

test("as many waiting scopes are notified as there are places, in order of arrival; those of one set together", () => {
  const places = full("a", "b");
  const waits = ["x", "y", "x", "z"].map((id) => places.wait(id));
  const free = (): boolean[] => waits.map(({ waiting }) => waiting.isFree);
  expect(free()).toEqual([false, false, false, false]);
  places.free("a");
  expect(free()).toEqual([true, false, true, false]);
  waits[0]?.leave();
  waits[2]?.leave();
  expect(free()[1]).toBe(true);
  expect(free()[3]).toBe(false);
});

test("a set without subscribers gives up its place, and takes it back when it has one", () => {
  const places = full("a", "b");
  const { waiting } = places.wait("x");
  places.look("a", -1);
  expect([places.isLeft("a"), places.isLeft("b"), waiting.isFree]).toEqual([true, false, true]);
  places.look("a", 1);
  expect([places.isLeft("a"), waiting.isFree]).toEqual([false, false]);
});

test("who waits for a set that has a place meanwhile has it", () => {
  const places = full("a", "b");
  const [first, second] = [places.wait("x"), places.wait("y")];
  places.free("a");
  places.take("y");
  places.look("y", 1);
  expect([first.waiting.isFree, second.waiting.isFree]).toEqual([false, true]);
});
