import { expect, test } from "vitest";

import { CreditedInput } from "./message-credit.ts";

function input() {
  const grants: number[] = [];
  return { grants, credited: new CreditedInput((bytes) => grants.push(bytes)) };
}

test("nothing is taken before it is open; then 32 KiB are, in messages of at most 16 KiB", () => {
  const { grants, credited } = input();
  expect(credited.take(1)).toBe(false);
  credited.open();
  credited.open();
  expect(grants).toEqual([32_768]);
  expect([16_385, 16_384, 16_384, 1].map((bytes) => credited.take(bytes))).toEqual([false, true, true, false]);
});

test("bytes that have left the process are granted again, in pieces of at least 16 KiB", () => {
  const { grants, credited } = input();
  credited.open();
  for (const bytes of [10_000, 10_000, 12_768]) expect(credited.take(bytes)).toBe(true);
  credited.passed(10_000);
  expect([grants.slice(1), credited.take(1)]).toEqual([[], false]);
  credited.passed(10_000);
  expect([grants.slice(1), credited.take(16_384), credited.take(3_617), credited.take(3_616)]).toEqual([[20_000], true, false, true]);
});
