import { expect, test } from "vitest";
import { RunningMark } from "./running-mark.ts";

const PLACE = { projectPath: "group/shop", environment: "staging", namespace: "shop", pod: "web-1" };

function tabStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("a terminal that a reload ended is noted in its tab, for its own pod, until the note is removed", () => {
  const storage = tabStorage();
  const before = new RunningMark(PLACE, () => storage);
  expect(before.isSet).toBe(false);
  before.set(true);
  const after = new RunningMark(PLACE, () => storage);
  expect(after.isSet).toBe(true);
  expect(new RunningMark({ ...PLACE, pod: "web-2" }, () => storage).isSet).toBe(false);
  expect(new RunningMark({ ...PLACE, environment: "production" }, () => storage).isSet).toBe(false);
  after.set(false);
  expect(new RunningMark(PLACE, () => storage).isSet).toBe(false);
});

test("a browser that denies its storage has no notes and no error", () => {
  const mark = new RunningMark(PLACE, () => {
    throw new DOMException("denied", "SecurityError");
  });
  mark.set(true);
  expect(mark.isSet).toBe(false);
  mark.set(false);
});
