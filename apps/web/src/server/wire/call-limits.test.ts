import { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { CallLimits, type CallPlace } from "./call-limits.ts";

function open(limits: CallLimits, count: number, of: (place: CallPlace, index: number) => void): CallPlace[] {
  const places: CallPlace[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = limits.begin("stream");
    try {
      of(place, index);
      places.push(place);
    } catch (error) {
      place.leave();
      if (!(error instanceof Fault)) throw error;
    }
  }
  return places;
}

describe("XM7, T14: calls that run at once", () => {
  test("XM7: of a thousand streams of one session forty run, and the refusal says why and when to come back", () => {
    const refused: string[] = [];
    const limits = new CallLimits((by) => refused.push(by));
    expect(open(limits, 1_000, (place) => place.take("session", "a"))).toHaveLength(40);
    expect(refused).toEqual(Array.from({ length: 960 }, () => "session_streams"));
    expect(() => limits.begin("stream").take("session", "a")).toThrow(
      expect.objectContaining({ reason: "rate_limited", retryAfterSeconds: 5 }) as Error,
    );
    expect(open(limits, 1, (place) => place.take("session", "b"))).toHaveLength(1);
    limits.begin("call").take("session", "a");
  });

  test("XM7: a viewer with many sessions has eighty streams in all", () => {
    const limits = new CallLimits(() => undefined);
    const places = open(limits, 1_000, (place, index) => {
      place.take("session", `session ${index}`);
      place.take("viewer", "developer");
    });
    expect(places).toHaveLength(80);
  });

  test("XM7: a call that ends frees its place, once, and nothing is retained", () => {
    const limits = new CallLimits(() => undefined);
    const places = open(limits, 40, (place) => place.take("session", "a"));
    places[0]?.leave();
    places[0]?.leave();
    expect(open(limits, 5, (place) => place.take("session", "a"))).toHaveLength(1);
  });

  test("XM7: whatever is taken, renamed and left, in the end no call is counted", () => {
    const step = fc.record({
      place: fc.nat(9),
      act: fc.constantFrom("session" as const, "viewer" as const, "leave" as const),
      name: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const limits = new CallLimits(() => undefined);
        const places = Array.from({ length: 10 }, (_, index) => limits.begin(index % 2 === 0 ? "stream" : "call"));
        for (const { place, act, name } of steps) {
          if (act === "leave") places[place]?.leave();
          else places[place]?.take(act, String(name));
        }
        for (const place of places) place.leave();
        expect(limits.size).toBe(0);
      }),
    );
  });
});
