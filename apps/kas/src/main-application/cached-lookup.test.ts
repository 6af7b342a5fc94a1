import { Fault, type FaultReason } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { CachedLookup } from "./cached-lookup.ts";

const TTL = { okMs: 60_000, refusedMs: 10_000 };
const never = new AbortController().signal;

/** Counts its queries. */
function counting<T>(answer: () => Promise<T>): { look: () => Promise<T>; queries: number } {
  const counter = {
    queries: 0,
    look: () => {
      counter.queries += 1;
      return answer();
    },
  };
  return counter;
}

test("many callers at once ask once", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const source = counting(() => Promise.resolve("ada"));
  expect(await Promise.all([1, 2, 3].map(() => cache.get(["a"], { signal: never }, source.look)))).toEqual(["ada", "ada", "ada"]);
  expect(source.queries).toBe(1);
});

test("an answer is kept as long as it may be, and not longer", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["a"], { signal: never }, source.look);
  clock.advance(TTL.okMs - 1);
  await cache.get(["a"], { signal: never }, source.look);
  expect(source.queries).toBe(1);
  clock.advance(1);
  await cache.get(["a"], { signal: never }, source.look);
  expect(source.queries).toBe(2);
});

test("a time to live of 0 keeps nothing", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), { okMs: 0, refusedMs: 0 });
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["a"], { signal: never }, source.look);
  await cache.get(["a"], { signal: never }, source.look);
  expect(source.queries).toBe(2);
});

test.each<[FaultReason, number]>([
  ["token_unknown", 1],
  ["agent_forbidden", 1],
  ["not_found", 1],
  ["main_application_unavailable", 2],
  ["cancelled", 2],
  ["deadline", 2],
])("after %s the second caller makes it %i queries", async (reason, queries) => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  const source = counting(() => Promise.reject<string>(new Fault(reason, "no")));
  await expect(cache.get(["a"], { signal: never }, source.look)).rejects.toMatchObject({ reason });
  clock.advance(TTL.refusedMs - 1);
  await expect(cache.get(["a"], { signal: never }, source.look)).rejects.toMatchObject({ reason });
  expect(source.queries).toBe(queries);
});

test("a refusal is forgotten after its own time", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  await expect(cache.get(["a"], { signal: never }, () => Promise.reject(new Fault("token_unknown", "no")))).rejects.toThrow("no");
  clock.advance(TTL.refusedMs);
  expect(await cache.get(["a"], { signal: never }, () => Promise.resolve("ada"))).toBe("ada");
});

test("a caller that cancels ends only its own wait, and nothing is cached (defect D10)", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const leaving = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const source = counting(() => promise);
  const gone = cache.get(["a"], { signal: leaving.signal }, source.look);
  const staying = cache.get(["a"], { signal: never }, source.look);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ reason: "cancelled" });
  resolve("ada");
  expect(await staying).toBe("ada");
  expect(await cache.get(["a"], { signal: never }, source.look)).toBe("ada");
  expect(source.queries).toBe(1);
});

test("T17: every input is part of the key, and so are the bounds between inputs", async () => {
  const inputs = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(inputs, inputs, async (first, second) => {
    fc.pre(JSON.stringify(first) !== JSON.stringify(second));
    const cache = new CachedLookup<string>(new ManualClock(), TTL);
    await cache.get(first, { signal: never }, () => Promise.resolve("first"));
    expect(await cache.get(second, { signal: never }, () => Promise.resolve("second"))).toBe("second");
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

test("XM15, KS4: a proof takes no answer to a question of longer ago than it says, and others then have the new one", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  let name = "old";
  const source = counting(() => Promise.resolve(name));
  await cache.get(["a"], { signal: never }, source.look);
  clock.advance(20_000);
  name = "new";
  expect(await cache.get(["a"], { signal: never, maxAgeMs: 20_000 }, source.look)).toBe("old");
  clock.advance(1);
  expect(await cache.get(["a"], { signal: never, maxAgeMs: 20_000 }, source.look)).toBe("new");
  expect(await cache.get(["a"], { signal: never }, source.look)).toBe("new");
  expect(source.queries).toBe(2);
});

test("KS4: the age of an answer counts from the question, and a question that runs for too long is not joined", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  const slow = Promise.withResolvers<string>();
  const first = cache.get(["a"], { signal: never }, () => slow.promise);
  clock.advance(20_001);
  const proof = cache.get(["a"], { signal: never, maxAgeMs: 20_000 }, () => Promise.reject(new Fault("token_unknown", "revoked")));
  await expect(proof).rejects.toThrow("revoked");
  slow.resolve("was good once");
  expect(await first).toBe("was good once");
  await expect(cache.get(["a"], { signal: never }, () => Promise.resolve("queried again"))).rejects.toThrow("revoked");
});

test("KS4: a proof that is refused removes the older answer for all callers", async () => {
  const clock = new ManualClock();
  const cache = new CachedLookup<string>(clock, TTL);
  await cache.get(["a"], { signal: never }, () => Promise.resolve("ada"));
  clock.advance(1);
  const revoked = () => Promise.reject(new Fault("agent_forbidden", "revoked"));
  await expect(cache.get(["a"], { signal: never, maxAgeMs: 0 }, revoked)).rejects.toThrow("revoked");
  await expect(cache.get(["a"], { signal: never }, () => Promise.resolve("ada"))).rejects.toThrow("revoked");
});

test("KB4: when the last caller cancels, the query is cancelled, and the next caller starts another one", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const [one, two] = [new AbortController(), new AbortController()];
  let deserted: AbortSignal | undefined;
  const look = (signal: AbortSignal) => {
    deserted = signal;
    return new Promise<string>(() => undefined);
  };
  const waiting = [one, two].map(({ signal }) => cache.get(["a"], { signal }, look));
  one.abort();
  expect(deserted?.aborted).toBe(false);
  two.abort();
  expect(deserted?.aborted).toBe(true);
  for (const gone of waiting) await expect(gone).rejects.toMatchObject({ reason: "cancelled" });
  expect(await cache.get(["a"], { signal: never }, () => Promise.resolve("ada"))).toBe("ada");
});

test("KB4: there is no query for a caller that has already cancelled", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const source = counting(() => Promise.resolve("ada"));
  await expect(cache.get(["a"], { signal: AbortSignal.abort() }, source.look)).rejects.toMatchObject({ reason: "cancelled" });
  expect(source.queries).toBe(0);
});

test("XB2: 30,000 made-up credentials push no good one out", async () => {
  const cache = new CachedLookup<string>(new ManualClock(), TTL);
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["good"], { signal: never }, source.look);
  const refuse = () => Promise.reject(new Fault("token_unknown", "no"));
  for (let index = 0; index < 30_000; index += 1) await cache.get([`bad ${index}`], { signal: never }, refuse).catch(() => undefined);
  await cache.get(["good"], { signal: never }, source.look);
  expect(source.queries).toBe(1);
});

test("an answer from the future is none: the clock was set back", async () => {
  let now = 1_800_000_000_000;
  const cache = new CachedLookup<string>({ now: () => now, after: () => () => undefined }, TTL);
  const source = counting(() => Promise.resolve("ada"));
  await cache.get(["a"], { signal: never }, source.look);
  now -= 3_600_000;
  await cache.get(["a"], { signal: never }, source.look);
  expect(source.queries).toBe(2);
});

test("a withdrawn acceptance is reported once, also after the answer has expired; a refusal without one is not", async () => {
  const clock = new ManualClock();
  const withdrawn: string[] = [];
  const cache = new CachedLookup<string>(clock, TTL, (value) => withdrawn.push(value));
  const refuse = () => Promise.reject(new Fault("token_unknown", "unauthenticated"));
  await cache.get(["a"], { signal: never }, () => Promise.resolve("ada"));
  clock.advance(TTL.okMs);
  for (const input of ["a", "b", "a"]) {
    await expect(cache.get([input], { signal: never }, refuse)).rejects.toThrow("unauthenticated");
    clock.advance(TTL.refusedMs);
  }
  expect(withdrawn).toEqual(["ada"]);
  await cache.get(["c"], { signal: never }, () => Promise.resolve("cy"));
  clock.advance(TTL.okMs);
  // An unavailable main application has rejected no credential.
  await expect(
    cache.get(["c"], { signal: never }, () => Promise.reject(new Fault("main_application_unavailable", "down"))),
  ).rejects.toThrow("down");
  expect(withdrawn).toEqual(["ada"]);
});
