import { expect, test } from "vitest";
import { ServerTime } from "./server-time.ts";

const HOUR_MS = 3_600_000;

/** A browser whose clock is an hour behind, and a server whose clock is right. */
function world() {
  const at = { serverMs: 1_000_000_000, steadyMs: 0, wallAheadMs: -HOUR_MS };
  const wallMs = (): number => at.serverMs + at.wallAheadMs;
  const time = new ServerTime({ wallMs, steadyMs: () => at.steadyMs });
  const pass = (ms: number): void => {
    at.serverMs += ms;
    at.steadyMs += ms;
  };
  const hear = (wayMs = 20): number => {
    const sentAtMs = at.serverMs;
    pass(wayMs);
    return time.heard(sentAtMs, wallMs());
  };
  return { at, time, pass, hear, wallMs, offMs: () => time.now() - at.serverMs };
}

test("a wrong clock of the browser is corrected by the first message", () => {
  const { hear, offMs, pass } = world();
  expect(offMs()).toBe(-HOUR_MS);
  hear();
  expect(offMs()).toBe(-20);
  pass(600_000);
  expect(offMs()).toBe(-20);
});

test("W22: a message that was held up is outvoted by the next ones", () => {
  const { hear, offMs } = world();
  for (const wayMs of [20, 25, 9_000, 22, 19_000]) hear(wayMs);
  expect(offMs()).toBe(-25);
});

test("W22: a clock that is set back changes nothing; one that is set on makes nothing look newer, and the next message corrects it", () => {
  const { at, hear, offMs } = world();
  hear();
  at.wallAheadMs = -5 * HOUR_MS;
  expect(offMs()).toBe(-20);
  hear();
  expect(offMs()).toBe(-20);
  at.wallAheadMs = HOUR_MS;
  expect(offMs()).toBe(6 * HOUR_MS - 20);
  hear();
  expect(offMs()).toBe(-20);
});

test("a machine that has slept knows for how long before it hears anything, and is believed by the first message", () => {
  const { at, hear, offMs } = world();
  hear();
  hear();
  // The steady clock stands still meanwhile.
  at.serverMs += HOUR_MS;
  expect(offMs()).toBe(-20);
  hear();
  expect(offMs()).toBe(-20);
});

test("the server's clock is followed when it is set", () => {
  const { at, hear, offMs } = world();
  for (let count = 0; count < 20; count += 1) hear();
  at.serverMs -= 2 * HOUR_MS;
  at.wallAheadMs += 2 * HOUR_MS;
  hear();
  expect(offMs()).toBe(-20);
});

test("the page itself says how late it is at least, and messages know better", () => {
  const { at, time, hear, offMs, pass } = world();
  const madeAtMs = at.serverMs;
  pass(2_000);
  time.atLeast(madeAtMs);
  expect(offMs()).toBe(-2_000);
  hear();
  expect(offMs()).toBe(-20);
  time.atLeast(madeAtMs);
  expect(offMs()).toBe(-20);
});

test("what another thread got a while ago came then", () => {
  const { time, at, pass, hear, wallMs } = world();
  hear();
  const [sentAtMs, cameAtMs] = [at.serverMs, wallMs() + 20];
  pass(5_020);
  expect(time.heard(sentAtMs, cameAtMs)).toBe(at.serverMs - 5_000 - 20);
});
