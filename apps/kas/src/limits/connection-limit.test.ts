import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ConnectionLimit } from "./connection-limit.ts";

test("a token opens so many connections a minute, and hears when it may again", () => {
  const clock = new ManualClock();
  const limit = new ConnectionLimit(clock, 2);
  limit.take("a");
  limit.take("a");
  clock.advance(15_500);
  expect(() => limit.take("a")).toThrow(expect.objectContaining({ reason: "rate_limited", retryAfterSeconds: 45 }));
  limit.take("b");
  clock.advance(44_500);
  expect(() => limit.take("a")).not.toThrow();
});

test("XM3: a connection counts once, however many tunnels it opens", () => {
  const limit = new ConnectionLimit(new ManualClock(), 2);
  const session = {};
  for (let tunnel = 0; tunnel < 1_000; tunnel += 1) limit.takeOnce(session, "a");
  limit.takeOnce({}, "a");
  expect(() => limit.takeOnce({}, "a")).toThrow(expect.objectContaining({ reason: "rate_limited" }));
  expect(() => limit.takeOnce(session, "a")).not.toThrow();
});

test("XM3: connections and configuration streams of a token count together", () => {
  const limit = new ConnectionLimit(new ManualClock(), 2);
  limit.takeOnce({}, "a");
  limit.take("a");
  expect(() => limit.takeOnce({}, "a")).toThrow(expect.objectContaining({ reason: "rate_limited" }));
});

test("XM3: a connection that was refused is let in when the minute is over", () => {
  const clock = new ManualClock();
  const limit = new ConnectionLimit(clock, 1);
  const late = {};
  limit.takeOnce({}, "a");
  expect(() => limit.takeOnce(late, "a")).toThrow("rate limit exhausted");
  clock.advance(60_000);
  limit.takeOnce(late, "a");
  expect(() => limit.takeOnce({}, "a")).toThrow("rate limit exhausted");
});

test("each token of a connection counts for itself", () => {
  const limit = new ConnectionLimit(new ManualClock(), 1);
  const session = {};
  limit.takeOnce(session, "a");
  limit.takeOnce(session, "b");
  expect(() => limit.takeOnce({}, "b")).toThrow("rate limit exhausted");
});

test("XM3: a connection that shows tokens without end is counted anew, and takes no more memory", () => {
  const limit = new ConnectionLimit(new ManualClock(), 3);
  const session = {};
  const showAll = (): void => {
    for (let index = 0; index < 100; index += 1) limit.takeOnce(session, `token ${index}`);
  };
  showAll();
  showAll();
  showAll();
  expect(showAll).toThrow(expect.objectContaining({ reason: "rate_limited" }));
});
