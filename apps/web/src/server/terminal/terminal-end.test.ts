import { TerminalEnd } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { featuresSchema } from "../config/features.ts";
import { TerminalTime } from "./terminal-end.ts";

const MINUTE_MS = 60_000;

function begin() {
  const clock = new ManualClock();
  const stop = new AbortController();
  const features = { ...featuresSchema.parse({}), terminal_session: { idle_timeout: 10 * MINUTE_MS, max_duration: 30 * MINUTE_MS } };
  const time = new TerminalTime({ clock, features });
  let end: TerminalEnd | "stopped" | undefined;
  void time.untilOver(stop.signal).then((ended) => (end = ended?.end ?? "stopped"));
  return { clock, time, stop, end: () => end };
}

test("a terminal without input or output ends when it was idle for the configured time", async () => {
  const { clock, end } = begin();
  await clock.elapse(10 * MINUTE_MS - 1);
  expect(end()).toBeUndefined();
  await clock.elapse(1);
  expect(end()).toBe(TerminalEnd.IDLE);
  clock.assertIdle();
});

test("input keeps a terminal open, but not beyond its longest time", async () => {
  const { clock, time, end } = begin();
  for (let minute = 5; minute < 30; minute += 5) {
    await clock.elapse(5 * MINUTE_MS);
    time.used();
    expect([minute, end()]).toEqual([minute, undefined]);
  }
  await clock.elapse(5 * MINUTE_MS);
  expect([end(), time.durationMs]).toEqual([TerminalEnd.TOO_LONG, 30 * MINUTE_MS]);
  clock.assertIdle();
});

test("a terminal that ends otherwise leaves no timer", async () => {
  const { clock, stop, end } = begin();
  stop.abort();
  await clock.elapse(0);
  expect(end()).toBe("stopped");
  clock.assertIdle();
});
