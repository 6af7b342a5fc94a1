import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { ReadGate, type GatePlace } from "./read-gate.ts";

const never = new AbortController().signal;
let clock: ManualClock;
let gate: ReadGate;

beforeEach(() => {
  clock = new ManualClock();
  gate = new ReadGate(clock, 2);
});

/** A reader that enters, now or later, and frees its slot when it must. */
function enter(isFollowed = true, signal = never): { place: GatePlace | undefined; isCut: boolean; refused: unknown } {
  const one = { place: undefined as GatePlace | undefined, isCut: false, refused: undefined as unknown };
  gate.enter(isFollowed, signal).then(
    (place) => {
      one.place = place;
      place.cut.addEventListener("abort", () => {
        one.isCut = true;
        place.leave();
      });
    },
    (error: unknown) => (one.refused = error),
  );
  return one;
}

test("so many have a place, and the next in the queue has one as soon as one leaves", async () => {
  const [first, , third, fourth] = [enter(), enter(), enter(), enter()];
  await settle();
  expect([gate.reads, third.place, fourth.place]).toEqual([2, undefined, undefined]);
  first.place?.leave();
  first.place?.leave();
  await settle();
  expect([gate.reads, third.place !== undefined, fourth.place]).toEqual([2, true, undefined]);
});

test("a follower keeps its slot while none waits, and frees it after 2 s when another does: each in turn", async () => {
  const all = [enter(), enter()];
  await clock.elapse(3_600_000);
  expect(all.map(({ isCut }) => isCut)).toEqual([false, false]);
  all.push(enter());
  await settle();
  expect(all.map(({ isCut, place }) => [isCut, place !== undefined])).toEqual([
    [true, true],
    [false, true],
    [false, true],
  ]);
  all.push(enter(), enter());
  await settle();
  expect(all.map(({ isCut }) => isCut)).toEqual([true, true, false, false, false]);
  await clock.elapse(1_999);
  expect([all[2]?.isCut, all[4]?.place]).toEqual([false, undefined]);
  await clock.elapse(1);
  expect([all[2]?.isCut, all[4]?.place !== undefined, gate.reads]).toEqual([true, true, 2]);
});

test("a read that moves keeps its place, one that its reader does not take gives it up", async () => {
  const [moving, stalled, waiting] = [enter(false), enter(false), enter()];
  for (let second = 0; second < 3; second += 1) {
    await clock.elapse(1_000);
    moving.place?.moved();
  }
  expect([moving.isCut, stalled.isCut, waiting.place !== undefined]).toEqual([false, true, true]);
});

test("a reader that is cancelled while it waits takes no slot", async () => {
  const left = new AbortController();
  const [first, , gone, next] = [enter(), enter(), enter(true, left.signal), enter()];
  await settle();
  left.abort(new Error("left"));
  await settle();
  expect(gone.refused).toEqual(new Error("left"));
  first.place?.leave();
  await settle();
  expect([gone.place, next.place !== undefined, gate.reads]).toEqual([undefined, true, 2]);
  await expect(gate.enter(true, left.signal)).rejects.toThrow("left");
});
