import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { SealedClaims } from "../session/sealed-claims.ts";
import { randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { TerminalTickets } from "../terminal/terminal-tickets.ts";
import { LogsTickets } from "./logs-tickets.ts";

const SESSION = "s".repeat(43);
const TARGET = { session: SESSION, viewer: "ann", projectPath: "group/app", environment: "production" };
const TERMINAL = { ...TARGET, namespace: "prod", pod: "web", uid: "1", container: "app", shells: ["sh"], columns: 80, rows: 24 };

test("T9: a ticket opens only what it is for, although both have the same keys and a terminal's names all that a log's does", async () => {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const sealed = (purpose: ConstructorParameters<typeof SealedClaims>[2]): SealedClaims => new SealedClaims(ring, clock, purpose);
  const [logs, terminals] = [new LogsTickets(sealed, clock), new TerminalTickets(sealed, clock)];
  const [ofLogs, ofTerminal] = [await logs.seal(TARGET), await terminals.seal(TERMINAL)];
  expect(await terminals.accept(ofLogs, SESSION)).toBeUndefined();
  expect(await logs.accept(ofTerminal, SESSION)).toBeUndefined();
  const claims = await logs.accept(ofLogs, SESSION);
  expect(claims).toMatchObject(TARGET);
  expect(await terminals.accept(ofTerminal, SESSION)).toMatchObject(TERMINAL);
  if (claims === undefined) throw new Error("it was accepted above");
  expect(await terminals.receiveNotice(await logs.notice(claims))).toBe(false);
});

test("T9: a ticket of a log ends after 30 s, and is accepted once", async () => {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const logs = new LogsTickets((purpose) => new SealedClaims(ring, clock, purpose), clock);
  const [first, second] = [await logs.seal(TARGET), await logs.seal(TARGET)];
  expect(await logs.accept(first, SESSION)).toMatchObject(TARGET);
  expect(await logs.accept(first, SESSION)).toBeUndefined();
  clock.advance(30_000);
  expect(await logs.accept(second, SESSION)).toBeUndefined();
});
