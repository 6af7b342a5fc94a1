import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { awaitAnswer } from "./served-tunnel.ts";

let clock: ManualClock;
let probes: ((alive: boolean) => void)[];
let silent: string[];
let stop: () => void;

beforeEach(() => {
  clock = new ManualClock();
  probes = [];
  silent = [];
  const probe = {
    ask: (answer: (alive: boolean) => void) => {
      probes.push(answer);
      return () => void probes.splice(0);
    },
  };
  stop = awaitAnswer({ clock, probe, limitMs: 6_000 }, (who) => silent.push(who));
});

test.each([
  [true, "cluster"],
  [false, "agent"],
] as const)("US6: an agent is probed when its answer is due; alive: %s blames the %s", (alive, who) => {
  clock.advance(5_999);
  expect(probes).toEqual([]);
  clock.advance(1);
  expect(silent).toEqual([]);
  probes[0]?.(alive);
  expect(silent).toEqual([who]);
});

test("US6: an answer before the limit, and one during the probe, report no silence", () => {
  clock.advance(6_000);
  stop();
  expect([probes, silent]).toEqual([[], []]);
  clock.assertIdle();
});
