import { settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { Semaphore } from "./semaphore.ts";

test("runs at most so many at a time, the others in the order in which they came", async () => {
  const semaphore = new Semaphore(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    semaphore.run(async () => {
      began.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  await settle();
  expect(began).toEqual([0, 1]);
  ends[1]?.();
  await settle();
  expect(began).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await settle();
  ends[3]?.();
  await Promise.all(all);
  expect(began).toEqual([0, 1, 2, 3]);
});

test("an action that fails gives its place up", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run(() => Promise.resolve("next"))).toBe("next");
});

test("a place that is given up twice is given up once", async () => {
  const semaphore = new Semaphore(1);
  const leave = await semaphore.enter();
  leave();
  leave();
  const second = await semaphore.enter();
  let entered = false;
  const third = semaphore.enter().then((leaveThird) => {
    entered = true;
    return leaveThird;
  });
  await settle();
  expect(entered).toBe(false);
  second();
  (await third)();
});
