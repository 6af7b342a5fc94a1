import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { SealedClaims } from "../session/sealed-claims.ts";
import { randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { TerminalTickets } from "./terminal-tickets.ts";

const SESSION = "s".repeat(43);
const TERMINAL = {
  session: SESSION,
  viewer: "ann",
  projectPath: "group/app",
  environment: "production",
  namespace: "prod",
  pod: "web",
  uid: "1",
  container: "app",
  shells: ["sh"],
  columns: 80,
  rows: 24,
};

/** Two web processes with the same keys, and one with others. */
function processes() {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const tickets = (keys = ring): TerminalTickets => new TerminalTickets((purpose) => new SealedClaims(keys, clock, purpose), clock);
  return { clock, ring, first: tickets(), second: tickets(), foreign: tickets(new SessionKeyRing(randomSessionKeys())) };
}

test("T9: a ticket is accepted once, and by no process that was notified of it", async () => {
  const { first, second } = processes();
  const ticket = await first.seal(TERMINAL);
  const claims = await first.accept(ticket, SESSION);
  expect(claims).toMatchObject(TERMINAL);
  expect(await first.accept(ticket, SESSION)).toBeUndefined();
  if (claims === undefined) throw new Error("it was accepted above");
  expect(await second.receiveNotice(await first.notice(claims))).toBe(true);
  expect(await second.accept(ticket, SESSION)).toBeUndefined();
});

test("T9: a ticket that came from another session was not used by that", async () => {
  const { first } = processes();
  const ticket = await first.seal(TERMINAL);
  expect(await first.accept(ticket, "o".repeat(43))).toBeUndefined();
  expect(await first.accept(ticket, SESSION)).toMatchObject(TERMINAL);
});

test("T9: a ticket ends after 30 s, and one that is sealed with other keys is none", async () => {
  const { clock, first, foreign } = processes();
  const ticket = await first.seal(TERMINAL);
  expect(await foreign.accept(ticket, SESSION)).toBeUndefined();
  clock.advance(30_000);
  expect(await first.accept(ticket, SESSION)).toBeUndefined();
});

test("T9: a ticket of a process whose clock is more than half a minute ahead is none", async () => {
  const { clock, ring, first } = processes();
  const ahead = (byMs: number): TerminalTickets => {
    const later = new ManualClock(clock.now() + byMs);
    return new TerminalTickets((purpose) => new SealedClaims(ring, later, purpose), later);
  };
  expect(await first.accept(await ahead(29_000).seal(TERMINAL), SESSION)).toMatchObject(TERMINAL);
  expect(await first.accept(await ahead(40_000).seal(TERMINAL), SESSION)).toBeUndefined();
});

test("T9: while as many used tickets are known as can be, none is accepted, so that none is forgotten", async () => {
  const { clock, ring } = processes();
  const tickets = new TerminalTickets((purpose) => new SealedClaims(ring, clock, purpose), clock, 2);
  const used = await tickets.seal(TERMINAL);
  expect(await tickets.accept(used, SESSION)).toMatchObject(TERMINAL);
  expect(await tickets.accept(await tickets.seal(TERMINAL), SESSION)).toMatchObject(TERMINAL);
  expect(await tickets.accept(await tickets.seal(TERMINAL), SESSION)).toBeUndefined();
  expect(await tickets.accept(used, SESSION)).toBeUndefined();
  clock.advance(60_001);
  expect(await tickets.accept(await tickets.seal(TERMINAL), SESSION)).toMatchObject(TERMINAL);
});

test("T9: a notice is no ticket, a ticket no notice, and a text of another key is neither", async () => {
  const { first, second, foreign } = processes();
  const ticket = await first.seal(TERMINAL);
  const claims = await first.accept(ticket, SESSION);
  const notice = claims === undefined ? "" : await first.notice(claims);
  expect(await second.receiveNotice(ticket)).toBe(false);
  expect(await second.accept(notice, SESSION)).toBeUndefined();
  expect(await foreign.receiveNotice(notice)).toBe(false);
  expect(await second.receiveNotice("nonsense")).toBe(false);
  expect(await second.accept(ticket, SESSION)).toMatchObject(TERMINAL);
});
