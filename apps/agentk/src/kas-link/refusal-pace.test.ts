import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { RefusalPace } from "./refusal-pace.ts";

const THROTTLED = { code: 8, message: "rate limit" };
const AWAY = { code: 14, message: "away" };
const NONE = new Map<string, readonly string[]>();

let clock: ManualClock;
let lines: string[];
let pace: RefusalPace;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  const log = createLogger("test", "silent");
  Object.assign(log, {
    warn: (fields: { readonly reason: string }) => lines.push(`warn ${fields.reason}`),
    info: (message: string) => lines.push(`info ${message}`),
  });
  pace = new RefusalPace({ clock, log, backoff: { initialMs: 500, maxMs: 20_000 }, words: { refused: "refused", accepted: "accepted" } });
});

test("I13: a limit is waited out for five seconds and more, and longer each time, although something is accepted in between", () => {
  const delays: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    delays.push(pace.refused(THROTTLED, NONE));
    pace.accepted();
    clock.advance(1_000);
  }
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(5_000);
  expect(Math.max(...delays.slice(4))).toBeGreaterThan(10_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(60_000);
});

test("I13: refusals are one line when they begin and one when they end, however many there are", () => {
  for (let count = 0; count < 100; count += 1) {
    pace.refused(THROTTLED, NONE);
    pace.accepted();
    clock.advance(10_000);
  }
  expect(lines).toEqual(["warn rate limit"]);
  clock.advance(60_000);
  expect(lines).toEqual(["warn rate limit", "info accepted"]);
  for (let count = 0; count < 100; count += 1) pace.refused(AWAY, NONE);
  pace.accepted();
  pace.accepted();
  expect(lines.slice(2)).toEqual(["warn away", "info accepted"]);
  pace.refused(AWAY, NONE);
  pace.refused({ code: 16, message: "unknown token" }, NONE);
  expect(lines.slice(4)).toEqual(["warn away", "warn unknown token"]);
});

test("reading-3: a kas that takes long to refuse is waited for longer each time, although it was presumed to accept", () => {
  const backoff = { initialMs: 500, maxMs: 20_000, random: () => 1 };
  const patient = new RefusalPace({ clock, log: createLogger("test", "silent"), backoff, words });
  const delays = [1, 2, 3, 4].map(() => {
    patient.presumed();
    return patient.refused(AWAY, NONE);
  });
  expect(delays).toEqual([500, 1_000, 2_000, 4_000]);
  patient.accepted();
  expect(patient.refused(AWAY, NONE)).toBe(500);
});

const words = { refused: "refused", accepted: "accepted" };

/** A pace whose luck is as given. */
function paceWith(random: number): RefusalPace {
  const backoff = { initialMs: 500, maxMs: 20_000, random: () => random };
  return new RefusalPace({ clock, log: createLogger("test", "silent"), backoff, random: () => random, words });
}

test.each([
  ["retry-after", "30", 30_000],
  ["retry-after-ms", "30000", 30_000],
  ["retry-after", "1000000000", 300_000],
  ["retry-after", "9".repeat(20), 300_000],
])("KB4, I13: %s: %s makes it wait %d ms at least, and a fifth more at most", (key, value, delayMs) => {
  for (const status of [THROTTLED, AWAY]) {
    const trailer = new Map([[key, [value]]]);
    expect(paceWith(0).refused(status, trailer)).toBe(delayMs);
    expect(paceWith(0.999_999).refused(status, trailer)).toBe(delayMs * 1.2);
  }
});

test("KB4: a hundred agents with the same requested delay do not come back together", () => {
  const delays = Array.from({ length: 100 }, () => {
    const fresh = new RefusalPace({ clock, log: createLogger("test", "silent"), backoff: { initialMs: 500, maxMs: 20_000 }, words });
    return fresh.refused(AWAY, new Map([["retry-after", ["60"]]]));
  });
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(60_000);
  expect(new Set(delays).size).toBeGreaterThan(90);
});

const NO_TIMES = ["0", "-5", "soon", "", "NaN", "Infinity", "1e9", "0x10", "1.5", " 7", "30, 60", "Fri, 31 Dec 1999 23:59:59 GMT"];

test.each(NO_TIMES)("KB4: retry-after: %j is no time: the agent waits as if there were none", (value) => {
  for (const status of [THROTTLED, AWAY])
    expect(paceWith(0.5).refused(status, new Map([["retry-after", [value]]]))).toBe(paceWith(0.5).refused(status, NONE));
});

test("KB4: two times are no time", () => {
  expect(paceWith(0.5).refused(AWAY, new Map([["retry-after", ["30", "60"]]]))).toBe(paceWith(0.5).refused(AWAY, NONE));
});

test("a sentence of kas is logged in part, however long it is", () => {
  pace.refused({ code: 14, message: "x".repeat(60_000) }, NONE);
  expect(lines[0]?.length).toBeLessThan(400);
});

test("other refusals keep their own, shorter backoff, which acceptance resets", () => {
  for (let count = 0; count < 10; count += 1) {
    expect(pace.refused(AWAY, NONE)).toBeLessThanOrEqual(500);
    pace.accepted();
  }
});
