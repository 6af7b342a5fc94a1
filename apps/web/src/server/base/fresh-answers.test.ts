import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { FreshAnswers } from "./fresh-answers.ts";

let clock: ManualClock;
let answers: FreshAnswers<string>;
let calls: number;
beforeEach(() => {
  [clock, calls] = [new ManualClock(), 0];
  answers = new FreshAnswers(clock, 2);
});

const read = (key: string, freshMs = 1_000) =>
  answers.read(key, async () => {
    calls += 1;
    return { answer: `${key}${calls}`, freshMs };
  });

test("an answer is cached for its lifetime, without another request", async () => {
  expect([await read("a"), await read("a")]).toEqual(["a1", "a1"]);
  clock.advance(999);
  expect(await read("a")).toBe("a1");
  expect(answers.last("a")).toMatchObject({ answer: "a1" });
  clock.advance(1);
  expect(answers.last("a")).toBeUndefined();
  expect(await read("a")).toBe("a2");
});

test("who asks while one is under way waits for it", async () => {
  expect(await Promise.all([read("a"), read("a"), read("b")])).toEqual(["a1", "a1", "b2"]);
});

test("a clock that is set back makes no answer stand for longer", async () => {
  clock.advance(10_000);
  await read("a");
  clock.advance(-5_000);
  expect(await read("a")).toBe("a2");
});

test("errors are not cached", async () => {
  const failing = () => Promise.reject(new Error("no"));
  await expect(answers.read("a", failing)).rejects.toThrow("no");
  expect(await read("a")).toBe("a1");
});

test("the oldest leave first", async () => {
  for (const key of ["a", "b", "c"]) await read(key);
  expect(["a", "b", "c"].map((key) => answers.last(key)?.answer)).toEqual([undefined, "b2", "c3"]);
});
