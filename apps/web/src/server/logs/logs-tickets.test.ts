import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { SealedClaims } from "../session/sealed-claims.ts";
import { randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { LogsTickets } from "./logs-tickets.ts";

const SESSION = "s".repeat(43);
const TARGET = { session: SESSION, viewer: "ann", projectPath: "group/app", environment: "production" };

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
