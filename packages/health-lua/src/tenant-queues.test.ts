import fc from "fast-check";
import { expect, test } from "vitest";

import { TenantQueues } from "./tenant-queues.ts";

interface Run {
  readonly tenant: string;
  readonly chars: number;
  readonly number: number;
}

let runs = 0;
const run = (tenant: string, chars = 1): Run => ({ tenant, chars, number: (runs += 1) });

function fill(queues: TenantQueues<Run>, counts: Readonly<Record<string, number>>): void {
  for (const [tenant, count] of Object.entries(counts)) for (let index = 0; index < count; index += 1) queues.push(run(tenant));
}

test("XS9: tenants whose runs are alike are served round robin", () => {
  const queues = new TenantQueues<Run>();
  fill(queues, { a: 100, b: 2, c: 2 });
  const served = Array.from({ length: 7 }, () => {
    const [first] = queues.take(1, 0);
    queues.charge(first?.tenant ?? "", 1);
    return first?.tenant;
  });
  expect(served).toEqual(["a", "b", "c", "a", "b", "c", "a"]);
});

test("XS9: a tenant whose runs are slow waits for as long as it has made others wait", () => {
  const queues = new TenantQueues<Run>();
  fill(queues, { slow: 100, quick: 1_000 });
  const served: string[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const [first] = queues.take(10, turn);
    queues.charge(first?.tenant ?? "", first?.tenant === "slow" ? 250 : 10);
    served.push(first?.tenant ?? "");
  }
  expect(served.slice(0, 27)).toEqual(["slow", ...Array.from({ length: 25 }, () => "quick"), "slow"]);
});

test("XS9: who comes later neither waits for what others had, nor has saved time up", () => {
  const queues = new TenantQueues<Run>();
  fill(queues, { old: 1_000 });
  for (let turn = 0; turn < 50; turn += 1) {
    queues.take(1, 0);
    queues.charge("old", 250);
  }
  fill(queues, { fresh: 100 });
  const served = Array.from({ length: 6 }, () => {
    const [first] = queues.take(1, 0);
    queues.charge(first?.tenant ?? "", 250);
    return first?.tenant;
  });
  expect(served.filter((tenant) => tenant === "fresh").length).toBe(3);
});

test("XS9: a tenant begins at most 2,000 runs in a second, and others are not held up by it", () => {
  const queues = new TenantQueues<Run>();
  fill(queues, { a: 5_000 });
  let begun = 0;
  for (let taken = queues.take(64, 0); taken.length > 0; taken = queues.take(64, 0)) begun += taken.length;
  expect([begun, queues.waitMs(400)]).toEqual([2_000, 600]);
  fill(queues, { b: 1 });
  expect(queues.waitMs(400)).toBe(0);
  expect(queues.take(64, 400).map(({ tenant }) => tenant)).toEqual(["b"]);
  expect(queues.take(64, 999)).toEqual([]);
  expect(queues.take(64, 1_000)).toHaveLength(64);
});

test("XS9, T14: a full queue takes no more, by number and by size, and the queues of others do", () => {
  const queues = new TenantQueues<Run>();
  fill(queues, { a: 20_000 });
  expect(queues.push(run("a"))).toBe(false);
  expect(queues.push(run("b", 60 * 1024 * 1024))).toBe(true);
  expect(queues.push(run("b", 5 * 1024 * 1024))).toBe(false);
  expect(queues.push(run("c"))).toBe(true);
});

test("XS9: whatever is pushed, taken and put back, every run comes once, those of a tenant in order", () => {
  const step = fc.record({
    what: fc.constantFrom("push", "take", "back"),
    tenant: fc.constantFrom("a", "b", "c"),
    count: fc.integer({ min: 1, max: 5 }),
    ms: fc.nat(300),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queues = new TenantQueues<Run>();
      const pushed = new Map<string, number[]>();
      const served = new Map<string, number[]>();
      const serve = (taken: readonly Run[]): void => {
        for (const { tenant, number } of taken) served.set(tenant, [...(served.get(tenant) ?? []), number]);
      };
      let nowMs = 0;
      for (const { what, tenant, count, ms } of steps) {
        nowMs += ms;
        if (what === "push") {
          for (let index = 0; index < count; index += 1) {
            const one = run(tenant);
            queues.push(one);
            pushed.set(tenant, [...(pushed.get(tenant) ?? []), one.number]);
          }
          continue;
        }
        const taken = queues.take(count, nowMs);
        const done = what === "take" ? taken.length : 1;
        serve(taken.slice(0, done));
        queues.putBack(taken.slice(done));
        queues.charge(taken[0]?.tenant ?? "", ms);
      }
      for (let taken = queues.take(3, nowMs); taken.length > 0; taken = queues.take(3, nowMs)) serve(taken);
      expect(served).toEqual(pushed);
      expect(queues.size).toBe(0);
    }),
  );
});
