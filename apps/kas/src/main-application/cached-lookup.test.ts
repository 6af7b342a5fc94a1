import { Fault, type FaultReason } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { CachedLookup } from "./cached-lookup.ts";

const TTL = { okMs: 60_000, refusedMs: 10_000 };
const never = new AbortController().signal;

/** Counts how often it is asked. */
function counting<T>(answer: () => Promise<T>): { look: () => Promise<T>; asked: number } {
  const counter = {
    asked: 0,
    look: () => {
      counter.asked += 1;
      return answer();
    },
  };
  return counter;
}

test("many callers at once ask once", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const source = counting(() => Promise.resolve("ada"));
  expect(await Promise.all([1, 2, 3].map(() => cache.get(["a"], never, source.look)))).toEqual(["ada", "ada", "ada"]);
  expect(source.asked).toBe(1);
});

test("an answer is kept as long as it may be, and not longer", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["a"], never, source.look);
  clock.advance(TTL.okMs - 1);
  await cache.get(["a"], never, source.look);
  expect(source.asked).toBe(1);
  clock.advance(1);
  await cache.get(["a"], never, source.look);
  expect(source.asked).toBe(2);
});

test("a time to live of 0 keeps nothing", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), { okMs: 0, refusedMs: 0 });
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["a"], never, source.look);
  await cache.get(["a"], never, source.look);
  expect(source.asked).toBe(2);
});

test.each<[FaultReason, number]>([
  ["token_unknown", 1],
  ["agent_forbidden", 1],
  ["not_found", 1],
  ["main_application_unavailable", 2],
  ["cancelled", 2],
  ["deadline", 2],
])("after %s the second caller makes it %i questions", async (reason, asked) => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  const source = counting(() => Promise.reject<string>(new Fault(reason, "no")));
  await expect(cache.get(["a"], never, source.look)).rejects.toMatchObject({ reason });
  clock.advance(TTL.refusedMs - 1);
  await expect(cache.get(["a"], never, source.look)).rejects.toMatchObject({ reason });
  expect(source.asked).toBe(asked);
});

test("a refusal is forgotten after its own time", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  await expect(cache.get(["a"], never, () => Promise.reject(new Fault("token_unknown", "no")))).rejects.toThrow("no");
  clock.advance(TTL.refusedMs);
  expect(await cache.get(["a"], never, () => Promise.resolve("ada"))).toBe("ada");
});

test("a caller who leaves ends only his own wait, and nothing is remembered of it (defect D10)", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const leaving = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const source = counting(() => promise);
  const gone = cache.get(["a"], leaving.signal, source.look);
  const staying = cache.get(["a"], never, source.look);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ reason: "cancelled" });
  resolve("ada");
  expect(await staying).toBe("ada");
  expect(await cache.get(["a"], never, source.look)).toBe("ada");
  expect(source.asked).toBe(1);
});

test("T17: every input is part of the key, and so are the bounds between inputs", async () => {
  const inputs = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(inputs, inputs, async (first, second) => {
    fc.pre(JSON.stringify(first) !== JSON.stringify(second));
    const cache = new CachedLookup<string>(new ManualClock(), TTL);
    await cache.get(first, never, () => Promise.resolve("first"));
    expect(await cache.get(second, never, () => Promise.resolve("second"))).toBe("second");
  });
  const examples: [string[], string[]][] = [
    [
      ["ab", "c"],
      ["a", "bc"],
    ],
    [["a"], ["a", ""]],
    [["1:a"], ["", "a"]],
  ];
  await fc.assert(property, { examples });
});
