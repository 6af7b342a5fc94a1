import { Fault, type Clock } from "@binnacle/rpc";
import { beforeEach, describe, expect, test } from "vitest";

import { SignInLimit } from "./sign-in-limit.ts";

let nowMs: number;
let refused: string[];
let limit: SignInLimit;

beforeEach(() => {
  nowMs = 1_000_000;
  refused = [];
  const clock: Clock = { now: () => nowMs, after: () => () => undefined };
  limit = new SignInLimit({ clock, refused: (by) => refused.push(by) });
});

/** Tries tokens. @returns how many were let through, and the last refusal */
function attempts(count: number, of: (index: number) => { clientAddress: string; tokenName: string }): { taken: number; fault?: Fault } {
  let taken = 0;
  let fault: Fault | undefined;
  for (let index = 0; index < count; index += 1) {
    try {
      limit.attempt(of(index));
      taken += 1;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault = error;
    }
  }
  return { taken, ...(fault === undefined ? {} : { fault }) };
}

const from = (clientAddress: string) => (index: number) => ({ clientAddress, tokenName: `made-up-${clientAddress}-${index}` });

describe("W16: trying tokens", () => {
  test("W16: one client may try twenty tokens a minute, and gets the time to retry", () => {
    const { taken, fault } = attempts(100, from("203.0.113.9"));
    expect(taken).toBe(20);
    expect(fault).toMatchObject({ reason: "rate_limited", retryAfterSeconds: 60 });
    expect(refused).toEqual(Array.from({ length: 80 }, () => "sign_in_client"));
    nowMs += 60_000;
    expect(attempts(1, from("203.0.113.9")).taken).toBe(1);
  });

  test("W16: a client that is held back takes nothing from the others", () => {
    attempts(10_000, from("203.0.113.9"));
    nowMs += 1_000;
    expect(attempts(1, from("198.51.100.1")).taken).toBe(1);
  });

  test("W16: all addresses of one IPv6 customer are one client", () => {
    expect(attempts(100, (index) => from(`2001:db8::${index.toString(16)}`)(index)).taken).toBe(20);
  });

  test("W16: the main application receives at most twenty unknown tokens a second, from all clients together", () => {
    const flood = (): number => attempts(10_000, (index) => from(`10.${index >> 8}.${index & 255}.1`)(index)).taken;
    expect(flood()).toBe(20);
    expect(flood()).toBe(0);
    nowMs += 1_000;
    expect(flood()).toBe(20);
    expect(new Set(refused)).toEqual(new Set(["sign_in_total"]));
  });

  test("W16: a token that was accepted is never refused, whatever storm its client's network makes", () => {
    limit.accepted("good");
    attempts(10_000, from("203.0.113.9"));
    attempts(10_000, (index) => from(`10.${index >> 8}.${index & 255}.1`)(index));
    expect(attempts(50, () => ({ clientAddress: "203.0.113.9", tokenName: "good" })).taken).toBe(50);
    nowMs += 24 * 60 * 60_000;
    expect(attempts(50, () => ({ clientAddress: "203.0.113.9", tokenName: "good" })).taken).toBe(20);
  });

  test("W16: a clock that is set back locks no client out", () => {
    attempts(100, from("203.0.113.9"));
    nowMs -= 3_600_000;
    expect(attempts(1, from("203.0.113.9")).taken).toBe(1);
  });
});
