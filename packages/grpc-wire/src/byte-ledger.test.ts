import type { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";

import { ByteLedger, type ByteAccount } from "./byte-ledger.ts";

const EMPTY = { held: 0, owners: 0, streams: 0, waiting: 0 };
const one = { kind: "agent", id: "1" } as const;
const two = { kind: "agent", id: "2" } as const;

let ledger: ByteLedger;
let cuts: string[];

beforeEach(() => {
  cuts = [];
  ledger = new ByteLedger({ processBytes: 1_000, agentBytes: 400, userBytes: 100 }, (kind, scope) => cuts.push(`${kind} ${scope}`));
});

function open(owner: Parameters<ByteLedger["open"]>[0], faults: Fault[] = []): ByteAccount {
  return ledger.open(owner, (fault) => faults.push(fault));
}

test("KB6, XS3: who is over its limit loses its largest stream, with the reason, and its neighbours nothing", () => {
  const faults: Fault[] = [];
  const [small, large, neighbour] = [open(one), open(one, faults), open(two)];
  small.charge(50);
  large.charge(300);
  neighbour.charge(390);
  expect(faults).toEqual([]);
  small.charge(60);
  expect(faults).toMatchObject([{ reason: "over_budget" }]);
  expect(cuts).toEqual(["agent owner"]);
  expect(ledger.held(one)).toBe(110);
  expect(ledger.held(two)).toBe(390);
});

test("XS3: many owners together are bounded by the process: the largest of all is cut first", () => {
  const faults: Fault[] = [];
  const accounts = Array.from({ length: 4 }, (_, id) => open({ kind: "agent", id: String(id) }, faults));
  for (const [at, account] of accounts.entries()) account.charge(200 + at);
  expect(faults).toEqual([]);
  open({ kind: "user", id: "9" }).charge(99);
  open({ kind: "user", id: "8" }).charge(99);
  expect(cuts).toEqual(["agent process"]);
  expect(ledger.held({ kind: "agent", id: "3" })).toBe(0);
  expect(ledger.held()).toBeLessThanOrEqual(1_000);
});

test("KB6: above half of the limit a stream that holds nothing waits, and one in the middle of a message goes on", () => {
  const [holder, newcomer] = [open(one), open(one)];
  expect(holder.charge(150)).toBe(true);
  expect(holder.charge(100)).toBe(true);
  expect(newcomer.charge(10)).toBe(false);
  expect(ledger.isShort(one)).toBe(true);
  let goesOn = false;
  newcomer.onRoom(() => (goesOn = true));
  holder.release(20);
  expect(goesOn).toBe(false);
  holder.release(100);
  expect(goesOn).toBe(true);
  expect(ledger.isShort(one)).toBe(false);
});

test("KB6: while the process is short, an owner that holds less than its share is not slowed", () => {
  const [greedy, other] = [open(one), open({ kind: "peer", id: "b" })];
  greedy.charge(190);
  other.charge(400);
  expect(open(two).charge(1)).toBe(true);
  expect(open({ kind: "peer", id: "b" }).charge(1)).toBe(false);
});

test("T14, XS3: what waits without a word, like the window of a stalled reader, is booked when it is looked at", () => {
  const faults: Fault[] = [];
  let waiting = 0;
  const account = open(one, faults);
  account.probe(() => waiting);
  waiting = 300;
  ledger.sample();
  expect(ledger.held(one)).toBe(300);
  waiting = 120;
  ledger.sample();
  expect(ledger.held(one)).toBe(120);
  waiting = 401;
  ledger.sample();
  expect(faults).toMatchObject([{ reason: "over_budget" }]);
  expect(ledger.counts()).toEqual(EMPTY);
});

test("an account that is closed gives everything back, once, and is deaf from then on", () => {
  const account = open(one);
  account.charge(100);
  account.close();
  account.close();
  account.charge(50);
  account.release(50);
  expect(ledger.counts()).toEqual(EMPTY);
});

test("KB6: whatever is charged, released, cut and closed, the sums are right and nothing is left in the end", () => {
  const step = fc.record({ stream: fc.nat(9), bytes: fc.integer({ min: -300, max: 300 }), close: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const own = new ByteLedger({ processBytes: 1_000, agentBytes: 400, userBytes: 100 });
      const accounts = Array.from({ length: 10 }, (_, at) =>
        own.open({ kind: at % 2 ? "agent" : "user", id: String(at % 3) }, () => undefined),
      );
      for (const { stream, bytes, close } of steps) {
        const account = accounts[stream];
        if (bytes > 0) account?.charge(bytes);
        else account?.release(-bytes);
        if (close && bytes % 7 === 0) account?.close();
        expect(own.held()).toBe(accounts.reduce((sum, each) => sum + each.held, 0));
        expect(own.held()).toBeLessThanOrEqual(1_000);
      }
      for (const account of accounts) account.close();
      expect(own.counts()).toEqual(EMPTY);
    }),
  );
});
