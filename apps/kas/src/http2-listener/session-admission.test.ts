import { EventEmitter } from "node:events";
import type { ServerHttp2Session } from "node:http2";

import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { SessionAdmission } from "./session-admission.ts";

/** As much of a session as the admission touches. */
class FakeSession extends EventEmitter {
  readonly name: string;
  destroyed = false;

  constructor(name: string) {
    super();
    this.name = name;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }

  goaway(): void {}

  settings(): void {}
}

const MAX = 6;
let clock: ManualClock;
let admission: SessionAdmission;
let refused: string[];
beforeEach(() => {
  clock = new ManualClock();
  refused = [];
  admission = admissionOf(MAX);
});

function admissionOf(maxUnproved: number): SessionAdmission {
  return new SessionAdmission({
    clock,
    maxPerAddress: 100_000,
    maxUnproved,
    proofMs: 30_000,
    onRefused: (address, reason) => refused.push(`${address} ${reason}`),
  });
}

/** A session from there. */
function come(address: string, to = admission): FakeSession {
  const session = new FakeSession(address);
  to.admit(real(session), address);
  return session;
}

/** The admission uses nothing else of it. */
function real(session: FakeSession): ServerHttp2Session {
  return session as unknown as ServerHttp2Session;
}

function left(sessions: readonly FakeSession[]): readonly boolean[] {
  return sessions.map(({ destroyed }) => !destroyed);
}

test("XM12, T14: when all addresses together have too many unproved sessions, the oldest of the address that has most goes", () => {
  const few = [come("192.0.2.1"), come("192.0.2.2")];
  const many = Array.from({ length: 4 }, () => come("192.0.2.3"));
  expect(refused).toEqual([]);
  const newcomer = come("192.0.2.4");
  expect(refused).toEqual(["192.0.2.3 unauthenticated_limit"]);
  expect(left([...few, ...many, newcomer])).toEqual([true, true, false, true, true, true, true]);
  expect(admission.size).toBe(MAX);
});

test("XM12: a client with a credential stays connected while others of its address do not", () => {
  const many = Array.from({ length: MAX }, () => come("192.0.2.3"));
  const [first] = many;
  if (first) admission.check(real(first));
  come("192.0.2.4");
  expect(left(many)).toEqual([true, false, true, true, true, true]);
});

test("XM12, T14: credentials under examination without end take no more than the room there is", () => {
  const many = Array.from({ length: MAX }, () => come("192.0.2.3"));
  for (const session of many) admission.check(real(session));
  const other = come("192.0.2.4");
  // The newest: those who were here first keep their turn.
  expect(left(many)).toEqual([true, true, true, true, true, false]);
  expect(other.destroyed).toBe(false);
  for (let count = 0; count < 1_000; count += 1) admission.check(real(come("192.0.2.3")));
  expect(admission.size).toBe(MAX);
  expect(other.destroyed).toBe(false);
});

test("XM12: proved and closed sessions do not count", () => {
  for (let count = 0; count < 100; count += 1) {
    admission.check(real(come("192.0.2.3")))("proved");
    come("192.0.2.3").destroy();
  }
  expect(admission.size).toBe(0);
  expect(refused).toEqual([]);
});

test("XM12, T14: a site with many IPv6 addresses is one address, and displaces no other client", () => {
  const others = Array.from({ length: 3 }, (_, index) => come(`2001:db8:${index + 1}::1`));
  for (let count = 0; count < 100; count += 1) come(`2001:db8:ffff:1::${count.toString(16)}`);
  expect(left(others)).toEqual([true, true, true]);
  expect(admission.size).toBe(MAX);
});

test("XM12, T14: of 8,192 unproved sessions and as many newcomers no more than 8,192 are kept", () => {
  const usual = new SessionAdmission({ clock, maxPerAddress: 100_000, proofMs: 30_000, onRefused: () => undefined });
  const addressOf = (index: number): string => `10.0.${(index >> 8) & 255}.${index & 255}`;
  for (let count = 0; count < 2 * 8_192; count += 1) come(addressOf(count % 4_096), usual);
  expect(usual.size).toBe(8_192);
});
