import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { foldEvents, newestFirst } from "./fold-events.ts";
import { madeEvent } from "./made-event.ts";

const BASE_MS = Date.parse("2026-01-01T00:00:00Z");
const time = (seconds: number): string => new Date(BASE_MS + seconds * 1_000).toISOString();
const single = fc.record({
  uid: fc.constantFrom("p", "q", ""),
  name: fc.constantFrom("web-1-x", "web-1-y"),
  reason: fc.constantFrom("Failed", "BackOff"),
  message: fc.constantFrom("a", "b"),
  count: fc.integer({ min: 1, max: 50 }),
  first: fc.integer({ min: 0, max: 500 }),
  span: fc.integer({ min: 0, max: 500 }),
  style: fc.constantFrom("series", "old", "both"),
});

function eventOf(each: typeof single extends fc.Arbitrary<infer T> ? T : never, index: number): KubeObject {
  const { uid, name, reason, message, count, first, span, style } = each;
  const series = {
    series: { count, lastObservedTime: time(first + span) },
    eventTime: time(first),
    firstTimestamp: null,
    lastTimestamp: null,
  };
  const old = { count, firstTimestamp: time(first), lastTimestamp: time(first + span), eventTime: null };
  // A reporter of series may also write the old fields: they count the same.
  const fields = style === "series" ? series : style === "old" ? old : { ...old, ...series, count, lastTimestamp: time(first + span) };
  return madeEvent(`e${index}`, { ...fields, reason, message }, { uid, name });
}

test("nothing is lost and nothing counts twice: the folded counts are those of all Events, and times span them", () => {
  fc.assert(
    fc.property(fc.array(single, { maxLength: 40 }), (all) => {
      const folded = foldEvents(all.map(eventOf));
      const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
      expect(sum(folded.map(({ facts }) => facts.count))).toBe(sum(all.map(({ count }) => count)));
      expect(new Set(folded.map(({ id }) => id)).size).toBe(folded.length);
      for (const { about, facts } of folded) {
        const same = all.filter(
          ({ uid, name, reason, message }) =>
            uid === about.uid && (uid !== "" || name === about.key.name) && reason === facts.reason && message === facts.message,
        );
        expect(facts.firstMs).toBe(BASE_MS + Math.min(...same.map(({ first }) => first)) * 1_000);
        expect(facts.lastMs).toBe(BASE_MS + Math.max(...same.map(({ first, span }) => first + span)) * 1_000);
      }
    }),
  );
});

test("the order in which Events come does not change the result", () => {
  fc.assert(
    fc.property(fc.array(single, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (all, random) => {
      const events = all.map(eventOf);
      const shuffled = events
        .map((event) => ({ event, rank: random.next().value ?? 0 }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ event }) => event);
      const fold = (given: readonly KubeObject[]): unknown => {
        const sorted = foldEvents(given).toSorted(newestFirst);
        return sorted.map(({ id, facts: { count, firstMs, lastMs } }) => ({ id, count, firstMs, lastMs }));
      };
      expect(fold(shuffled)).toEqual(fold(events));
    }),
  );
});

test("an object of the same name with another uid is another object, and what names none is left out", () => {
  const events = [madeEvent("a"), madeEvent("b", {}, { uid: "another" }), madeEvent("c", { involvedObject: {} })];
  expect(foldEvents(events).map(({ about }) => about.uid)).toEqual(["p", "another"]);
});

test("an id tells nothing of what it stands for", () => {
  const [folded] = foldEvents([madeEvent("a", { message: "canary" }, { uid: "canary-uid" })]);
  expect(folded?.id).toMatch(/^[\w-]{16}$/);
});
