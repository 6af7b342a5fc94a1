import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";
import { ActNotices, type ViewerAct } from "./authors/viewer-act.ts";
import { randomSessionKeys, SessionKeyRing } from "./config/session-keys.ts";
import { LogsTickets } from "./logs/logs-tickets.ts";
import { EndNotice } from "./session/end-notice.ts";
import { SealedClaims } from "./session/sealed-claims.ts";
import { TerminalTickets } from "./terminal/terminal-tickets.ts";

const SESSION = "s".repeat(43);
const TARGET = { session: SESSION, viewer: "ann", projectPath: "group/app", environment: "production" };
const TERMINAL = { ...TARGET, namespace: "prod", pod: "web", uid: "1", container: "app", shells: ["sh"], columns: 80, rows: 24 };
const ACT: ViewerAct = {
  id: "i".repeat(22),
  projectPath: "group/app",
  environment: "prod",
  uid: "u1",
  version: "5",
  action: "scale",
  isRemoval: false,
  begunMs: 0,
  endedMs: 0,
  username: "ada",
  name: "Ada",
};

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

test("a process that knows no such notices takes one for none of its own", async () => {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const claims = (purpose: ConstructorParameters<typeof SealedClaims>[2]) => new SealedClaims(ring, clock, purpose);
  const sealed = await new ActNotices(claims, clock).seal(ACT);
  expect(await new TerminalTickets(claims, clock).receiveNotice(sealed)).toBe(false);
  expect(await new EndNotice(ring, clock).open(sealed)).toBeUndefined();
});
