import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { awaitAnswer } from "./served-tunnel.ts";

let clock: ManualClock;
let asked: ((alive: boolean) => void)[];
let said: string[];
let stop: () => void;

beforeEach(() => {
  clock = new ManualClock();
  asked = [];
  said = [];
  const probe = {
    ask: (answer: (alive: boolean) => void) => {
      asked.push(answer);
      return () => void asked.splice(0);
    },
  };
  stop = awaitAnswer({ clock, probe, limitMs: 6_000 }, (who) => said.push(who));
});

test.each([
  [true, "cluster"],
  [false, "agent"],
] as const)("US6: an agent is probed when its answer is due; alive: %s blames the %s", (alive, who) => {
  clock.advance(5_999);
  expect(asked).toEqual([]);
  clock.advance(1);
  expect(said).toEqual([]);
  asked[0]?.(alive);
  expect(said).toEqual([who]);
});

test("US6: an answer before the limit, and one during the probe, blame nobody", () => {
  clock.advance(6_000);
  stop();
  expect([asked, said]).toEqual([[], []]);
  clock.assertIdle();
});
