import { expect, test } from "vitest";

import type { Clock } from "./clock.ts";
import { runModules, type Module } from "./module.ts";

/** Runs out when the test says so. */
let runOut = (): void => undefined;
const clock: Clock = {
  now: () => 0,
  after(_delayMs, action) {
    runOut = action;
    return () => undefined;
  },
};
const options = { clock, deadlineMs: 1_000 };

/** Notes what is done to it; its drain settles when `emptied` is called, or at the deadline. */
function noted(name: string, events: string[], drain: "at once" | "never" = "at once"): Module {
  return {
    name,
    async drain(deadline) {
      events.push(`${name} drains`);
      if (drain === "never") await new Promise((resolve) => deadline.addEventListener("abort", resolve, { once: true }));
    },
    async close() {
      events.push(`${name} closed`);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("KS1: a phase is closed before the next one drains, and within a phase all drain side by side", async () => {
  const events: string[] = [];
  await runModules(
    [[noted("a", events), noted("b", events)], [noted("peers", events)], [noted("redis", events)]],
    AbortSignal.abort(),
    options,
  );
  expect(events).toEqual(["a drains", "b drains", "a closed", "b closed", "peers drains", "peers closed", "redis drains", "redis closed"]);
});

test("KS2: a module that does not finish draining is closed at the deadline, which all phases share", async () => {
  const events: string[] = [];
  const running = runModules([[noted("slow", events, "never")], [noted("last", events, "never")]], AbortSignal.abort(), options);
  await settled();
  expect(events).toEqual(["slow drains"]);
  runOut();
  await running;
  expect(events).toEqual(["slow drains", "slow closed", "last closed"]);
});

test("work goes on until the signal aborts, and ends right before its module is closed", async () => {
  const events: string[] = [];
  const stop = new AbortController();
  const worker: Module = {
    ...noted("worker", events),
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          events.push("worker ends");
          resolve();
        });
      }),
  };
  const running = runModules([[worker]], stop.signal, options);
  await settled();
  expect(events).toEqual([]);
  stop.abort();
  await running;
  expect(events).toEqual(["worker drains", "worker ends", "worker closed"]);
});

test("the first failure makes the others leave and is what is thrown, after all were closed", async () => {
  const events: string[] = [];
  const failing: Module = { ...noted("failing", events), run: () => Promise.reject(new Error("port taken")) };
  await expect(runModules([[noted("a", events)], [failing]], new AbortController().signal, options)).rejects.toThrow("port taken");
  expect(events).toEqual(["a drains", "a closed", "failing drains", "failing closed"]);
});

test("a module that ends by itself is a failure", async () => {
  const early: Module = { ...noted("early", []), run: () => Promise.resolve() };
  await expect(runModules([[early]], new AbortController().signal, options)).rejects.toThrow("module early ended before the shutdown");
});

test("a module that fails to drain does not stop the others from draining", async () => {
  const events: string[] = [];
  const broken: Module = {
    name: "broken",
    drain: () => Promise.reject(new Error("no drain")),
    close: () => Promise.reject(new Error("no close")),
  };
  await expect(runModules([[broken], [noted("b", events)]], AbortSignal.abort(), options)).rejects.toThrow("no drain");
  expect(events).toEqual(["b drains", "b closed"]);
});
