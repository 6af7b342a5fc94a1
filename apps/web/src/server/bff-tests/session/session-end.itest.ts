import { ProblemKind } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open();
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
});
afterEach(() => world.close());

// kas answers from what it learned at most 20 s ago, so with these 40 s every stream ends within a minute.
test.each([1_000, 15_000, 29_000])(
  "US17, T23: a session that is ended elsewhere, %i ms after a page came, is known to be over within 40 s",
  async (afterMs) => {
    const clock = new ManualClock();
    const tabs = [world.tab({}, clock), world.anotherTab(new AbortController().signal)];
    await clock.advanceUntil(() => tabs.every((tab) => tab.isComplete()));
    for (let ms = 0; ms < afterMs; ms += 100) clock.advance(100);
    world.main.sessions.clear();
    world.main.expireTokens();
    const endedMs = clock.now();
    await clock.advanceUntil(() => tabs.every((tab) => tab.problem !== undefined));
    expect(clock.now() - endedMs).toBeLessThan(40_000);
    expect(tabs.map((tab) => tab.problem?.kind)).toEqual([ProblemKind.UNAUTHENTICATED, ProblemKind.UNAUTHENTICATED]);
  },
);
