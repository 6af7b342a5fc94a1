import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ReturningCredentials } from "./credential-admission.ts";

test("XB2: a rejected credential is back once its retry time has come", () => {
  const clock = new ManualClock();
  const returning = new ReturningCredentials(clock);
  expect(returning.isBack("a")).toBe(false);
  returning.sentAway("a", 5);
  clock.advance(4_999);
  expect(returning.isBack("a")).toBe(false);
  clock.advance(1);
  expect(returning.isBack("a")).toBe(true);
  expect(returning.isBack("b")).toBe(false);
  returning.delete("a");
  expect(returning.isBack("a")).toBe(false);
});

test("XB2: of several retry times the earliest applies", () => {
  const clock = new ManualClock();
  const returning = new ReturningCredentials(clock);
  returning.sentAway("a", 7);
  clock.advance(1_000);
  returning.sentAway("a", 2);
  returning.sentAway("a", 9);
  clock.advance(2_000);
  expect(returning.isBack("a")).toBe(true);
});

test("XB2: it is remembered for a minute at least and for two at most", () => {
  const clock = new ManualClock();
  const returning = new ReturningCredentials(clock);
  clock.advance(59_000);
  returning.sentAway("a", 1);
  clock.advance(60_000);
  expect(returning.isBack("a")).toBe(true);
  clock.advance(61_000);
  expect(returning.isBack("a")).toBe(false);
  returning.sentAway("b", 1);
  clock.advance(3_600_000);
  expect(returning.isBack("b")).toBe(false);
  expect(returning.size).toBe(0);
});

test("XB2, T14: a flood of credentials takes no more than its share, and evicts no earlier credential", () => {
  const clock = new ManualClock();
  const returning = new ReturningCredentials(clock);
  returning.sentAway("first", 2);
  for (let index = 0; index < 100_000; index += 1) returning.sentAway(`flood ${index}`, 2);
  expect(returning.size).toBe(20_000);
  clock.advance(2_000);
  expect(returning.isBack("first")).toBe(true);
});
