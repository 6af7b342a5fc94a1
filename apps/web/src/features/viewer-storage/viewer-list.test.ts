import { expect, test } from "vitest";
import { ViewerList, type TextStorage } from "./viewer-list.ts";

function memory(): TextStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
}

function listOver(storage: () => TextStorage, most = 3): ViewerList<string> {
  return new ViewerList({ name: "test", most, parse: (value) => (typeof value === "string" ? value : undefined), storage });
}

test("what a viewer keeps is there on the next page, and no other viewer's", () => {
  const storage = memory();
  expect(listOver(() => storage).set("mara", ["a", "b"])).toBe(true);
  expect(listOver(() => storage).of("mara")).toEqual(["a", "b"]);
  expect(listOver(() => storage).of("otto")).toEqual([]);
  expect(listOver(() => storage).of(undefined)).toEqual([]);
});

test("it is bounded, when it is kept and when it is read", () => {
  const storage = memory();
  const list = listOver(() => storage, 3);
  list.set("mara", ["a", "b", "c", "d"]);
  expect(list.of("mara")).toEqual(["a", "b", "c"]);
  expect(listOver(() => storage, 1).of("mara")).toEqual(["a"]);
});

test.each(["{", "null", '"text"', "{}", '[1, null, {"a": 1}]'])("nonsense in the storage is nothing: %s", (text) => {
  const storage = memory();
  listOver(() => storage).set("mara", ["a"]);
  for (const key of storage.kept.keys()) storage.kept.set(key, text);
  expect(listOver(() => storage).of("mara")).toEqual([]);
});

test("a storage that refuses or is full: the list lives as long as the page, and says so", () => {
  const refused = listOver(() => {
    throw new DOMException("denied", "SecurityError");
  });
  let notifications = 0;
  refused.subscribe(() => (notifications += 1));
  expect(refused.of("mara")).toEqual([]);
  expect(refused.set("mara", ["a"])).toBe(false);
  expect(refused.of("mara")).toEqual(["a"]);
  expect(notifications).toBe(1);
});

test("what is read is the same until it changes, as those who draw it need", () => {
  const list = listOver(memory);
  expect(list.of("mara")).toBe(list.of("mara"));
  const before = list.of("mara");
  list.set("mara", ["a"]);
  expect(list.of("mara")).not.toBe(before);
});

test("an empty list leaves nothing behind", () => {
  const storage = memory();
  const list = listOver(() => storage);
  list.set("mara", ["a"]);
  list.set("mara", []);
  expect(storage.kept.size).toBe(0);
});
