import fc from "fast-check";
import { expect, test } from "vitest";

import { FairQueue } from "./fair-queue.ts";

test("a newcomer waits for one of each flow, not for a flow's thousand", () => {
  const queue = new FairQueue<string>();
  for (let index = 0; index < 1_000; index += 1) queue.push("many", `many ${index}`);
  expect(queue.turnsAhead("one")).toBe(1);
  queue.push("one", "one");
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(["many 0", "one", "many 1"]);
});

test("the newest of the longest flow makes room, and nobody does where all are short", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3"]) queue.push("a", item);
  queue.push("b", "b1");
  expect(queue.dropFromLongest(2)).toBe("a3");
  expect(queue.dropFromLongest(2)).toBeUndefined();
  expect(queue.size).toBe(3);
});

test("whatever comes and leaves, each item has one turn, flows keep their order, and none waits longer than was said", () => {
  const steps = fc.array(fc.tuple(fc.nat(5), fc.constantFrom("push" as const, "shift" as const, "delete" as const)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (actions) => {
      const queue = new FairQueue<number>();
      const inside = new Map<number, { readonly flow: string; ahead: number }>();
      let next = 0;
      for (const [number, action] of actions) {
        const flow = `flow ${number}`;
        if (action === "push") {
          inside.set(next, { flow, ahead: queue.turnsAhead(flow) });
          queue.push(flow, next);
          next += 1;
        } else if (action === "delete") {
          const [item] = [...inside].find(([, entry]) => entry.flow === flow) ?? [];
          if (item !== undefined) expect(queue.delete(flow, item)).toBe(inside.delete(item));
        } else {
          const item = queue.shift();
          const entry = item === undefined ? undefined : inside.get(item);
          expect(item === undefined).toBe(inside.size === 0);
          if (item === undefined || entry === undefined) continue;
          expect(entry.ahead).toBeGreaterThanOrEqual(0);
          inside.delete(item);
          const older = [...inside].find(([other, { flow }]) => flow === entry.flow && other < item);
          expect(older).toBeUndefined();
          for (const other of inside.values()) other.ahead -= 1;
        }
        expect(queue.size).toBe(inside.size);
      }
    }),
  );
});
