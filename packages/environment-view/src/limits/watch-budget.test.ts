import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WatchBudget, type Attention, type WatchClaim } from "./watch-budget.ts";

const page = (kind: number) => ({ attention: "page", kind }) as const;

describe("WatchBudget", () => {
  test("W1: gives as many places as there are, and tells the rest that they wait", () => {
    const budget = new WatchBudget(2);
    const claims = [0, 1, 2].map((kind) => budget.claim(page(kind)));
    expect(claims.map((claim) => claim.take() !== undefined)).toEqual([true, true, false]);
    expect(claims.map((claim) => claim.isWaiting)).toEqual([false, false, true]);
    expect(budget.held).toBe(2);
  });

  test("W1: a claim of higher rank gets a place only when it was released", async () => {
    const budget = new WatchBudget(1);
    const [low, high] = [budget.claim({ attention: "none", kind: 0 }), budget.claim(page(9))];
    const place = low.take();
    expect(high.take()).toBeUndefined();
    await Promise.resolve();
    expect(place?.aborted).toBe(true);
    expect(high.granted().aborted).toBe(false);
    low.give();
    await Promise.resolve();
    expect(high.granted().aborted).toBe(true);
    expect(high.take()?.aborted).toBe(false);
    expect(budget.held).toBe(1);
  });

  test("W1: a claim that had to release a place does not take it again before the one it is for", async () => {
    const budget = new WatchBudget(1);
    const [low, high] = [budget.claim(page(9)), budget.claim(page(0))];
    low.take();
    high.take();
    await Promise.resolve();
    low.give();
    expect(low.take()).toBeUndefined();
    await Promise.resolve();
    expect(high.take()?.aborted).toBe(false);
  });

  test("W1: equals do not take places from each other", async () => {
    const budget = new WatchBudget(1);
    const [first, second] = [budget.claim(page(1)), budget.claim(page(1))];
    const waiting = budget.claim(page(1));
    waiting.take();
    first.take();
    second.take();
    await Promise.resolve();
    expect(waiting.take()?.aborted).toBe(false);
  });

  test("W1: an agent that carries fewer watches than before loses those that rank last", async () => {
    const budget = new WatchBudget();
    const claims = [2, 0, 1].map((kind) => budget.claim(page(kind)));
    const places = claims.map((claim) => claim.take());
    budget.setLimit(1);
    await Promise.resolve();
    expect(places.map((place) => place?.aborted)).toEqual([true, false, true]);
  });

  test("W1: a claim that is closed wants nothing any more", async () => {
    const budget = new WatchBudget(1);
    const [held, waiting, next] = [budget.claim(page(0)), budget.claim(page(1)), budget.claim(page(2))];
    for (const claim of [held, waiting, next]) claim.take();
    waiting.close();
    held.close();
    await Promise.resolve();
    expect(next.take()).toBeDefined();
    expect([held.take(), waiting.take()]).toEqual([undefined, undefined]);
    expect(budget.held).toBe(1);
  });

  test("W1: however claims are made and released, never more places are held than there are, and none is left unused", async () => {
    const attention = fc.constantFrom<Attention>("page", "row", "none");
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom("take" as const, "give" as const, "obey" as const), who: fc.nat(9) }),
      fc.record({ do: fc.constant("rank" as const), who: fc.nat(9), attention, kind: fc.nat(3) }),
      fc.record({ do: fc.constant("limit" as const), limit: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        let limit = 3;
        let overdrawn = 0;
        const budget = new WatchBudget(limit);
        const claims = Array.from({ length: 10 }, (_, kind) => budget.claim(page(kind)));
        const open = new Map<WatchClaim, AbortSignal>();
        const take = (claim: WatchClaim): void => {
          const place = claim.take();
          if (place === undefined || open.has(claim)) return;
          // A limit that sank leaves what is open for a moment, but nothing more is opened.
          if (budget.held > Math.max(limit, open.size)) overdrawn += 1;
          open.set(claim, place);
        };
        const give = (claim: WatchClaim): void => {
          open.delete(claim);
          claim.give();
        };
        const obey = (): void => {
          for (const [claim] of [...open].filter(([, place]) => place.aborted)) {
            give(claim);
            take(claim);
          }
        };
        for (const now of steps) {
          if (now.do === "limit") budget.setLimit((limit = now.limit));
          else {
            const claim = claims[now.who];
            if (claim === undefined) continue;
            if (now.do === "take") take(claim);
            else if (now.do === "give") give(claim);
            else if (now.do === "rank") claim.setRank(now);
            else obey();
          }
          await Promise.resolve();
        }
        for (let turn = 0; turn < 20; turn += 1) {
          obey();
          for (const claim of claims) if (claim.granted().aborted) take(claim);
          await Promise.resolve();
        }
        expect(budget.held).toBeLessThanOrEqual(limit);
        expect(overdrawn).toBe(0);
        // A claim waits only because there is no place.
        expect(claims.some((claim) => claim.isWaiting) ? budget.held : limit).toBe(limit);
      }),
    );
  });
});
