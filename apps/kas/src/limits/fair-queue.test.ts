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

test("the newest of the longest flow makes room, and no item does where all flows are short", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3"]) queue.push("a", item);
  queue.push("b", "b1");
  expect(queue.dropFromLongest(2)).toBe("a3");
  expect(queue.dropFromLongest(2)).toBeUndefined();
  expect(queue.size).toBe(3);
});

type Step = readonly [flow: string, action: "push" | "shift" | "delete"];

/** Works off the steps beside a model that is plain and slow. @returns what the two do not agree on */
function disagreements(steps: readonly Step[]): readonly string[] {
  const queue = new FairQueue<number>();
  const inside = new Map<number, { readonly flow: string; ahead: number }>();
  const problems: string[] = [];
  const claim = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  const shift = (): void => {
    const item = queue.shift();
    const entry = inside.get(item ?? -1);
    claim((entry === undefined) === (inside.size === 0), "it says that it is empty");
    if (item === undefined || entry === undefined) return;
    inside.delete(item);
    claim(entry.ahead >= 0, "an item waited longer than its reported position");
    claim(![...inside].some(([other, { flow }]) => flow === entry.flow && other < item), "a flow is out of order");
    for (const other of inside.values()) other.ahead -= 1;
  };
  for (const [index, [flow, action]] of steps.entries()) {
    const [first] = [...inside].find(([, entry]) => entry.flow === flow) ?? [];
    if (action === "shift") shift();
    else if (action === "push") {
      inside.set(index, { flow, ahead: queue.turnsAhead(flow) });
      queue.push(flow, index);
    } else if (first !== undefined) claim(queue.delete(flow, first) === inside.delete(first), "an item was gone");
    claim(queue.size === inside.size, "the size is wrong");
  }
  return problems;
}

test("whatever comes and leaves, each item has one turn, flows keep their order, and none waits longer than its reported position", () => {
  const step = fc.tuple(
    fc.constantFrom("a", "b", "c", "d"),
    fc.constantFrom("push" as const, "push" as const, "shift" as const, "delete" as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      expect(disagreements(steps)).toEqual([]);
    }),
  );
});
