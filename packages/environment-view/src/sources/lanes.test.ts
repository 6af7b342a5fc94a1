import { settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { Lanes } from "./lanes.ts";

test("runs at most so many at a time, the others in the order in which they came", async () => {
  const lanes = new Lanes(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    lanes.run(async () => {
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

test("an action that fails gives its lane up", async () => {
  const lanes = new Lanes(1);
  await expect(lanes.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lanes.run(() => Promise.resolve("next"))).toBe("next");
});

test("a lane that is given up twice is given up once", async () => {
  const lanes = new Lanes(1);
  const leave = await lanes.enter();
  leave();
  leave();
  const second = await lanes.enter();
  let entered = false;
  const third = lanes.enter().then((leaveThird) => {
    entered = true;
    return leaveThird;
  });
  await settle();
  expect(entered).toBe(false);
  second();
  (await third)();
});
