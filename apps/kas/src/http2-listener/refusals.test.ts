import { ManualClock } from "@binnacle/testing";
import type { Logger } from "@binnacle/telemetry";
import { beforeEach, expect, test } from "vitest";

import { Refusals } from "./refusals.ts";

let clock: ManualClock;
let lines: object[];
let counted: string[];
let refusals: Refusals;
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  counted = [];
  // Nothing but `warn` is used.
  const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Logger;
  const metrics = { refused: (listener: string, reason: string) => void counted.push(`${listener} ${reason}`) };
  refusals = new Refusals({ listener: "agent", clock, log, metrics });
});

test("I8, XM13: a flood of refusals is counted one by one, and logged once a minute with how many had no line", () => {
  for (let count = 0; count < 1_000; count += 1) refusals.note({ peer: "192.0.2.1", reason: "token_unknown" });
  clock.advance(60_000);
  refusals.note({ peer: "192.0.2.1", reason: "session_error", error: new Error("broken") });
  expect(counted).toHaveLength(1_001);
  expect(lines).toEqual([
    { listener: "agent", peer: "192.0.2.1", reason: "token_unknown", unlogged: 0 },
    { listener: "agent", peer: "192.0.2.1", reason: "session_error", message: "broken", unlogged: 999 },
  ]);
});

test("I8: peers have lines of their own, and only so many are remembered", () => {
  for (let peer = 0; peer < 10_001; peer += 1) refusals.note({ peer: String(peer), reason: "token_missing" });
  refusals.note({ peer: "10000", reason: "token_missing" });
  expect(lines).toHaveLength(10_001);
  refusals.note({ peer: "0", reason: "token_missing" });
  expect(lines).toHaveLength(10_002);
});
