import { expect, test, vi } from "vitest";

import { AgentEvents } from "./agent-events.ts";

test("the last hundred events are retained in order, with unique numbers", () => {
  let now = 0;
  const agentEvents = new AgentEvents({ now: () => now, after: () => () => {} });
  for (let index = 1; index <= 250; index += 1) {
    now = index * 10;
    agentEvents.record({ what: index % 2 === 0 ? "connection-lost" : "connected" });
  }
  expect(agentEvents.recorded).toHaveLength(100);
  expect(agentEvents.recorded.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 151));
  expect(agentEvents.recorded.at(-1)).toEqual({ number: 250, atMs: 2_500, event: { what: "connection-lost" } });
});

test("a follower is notified of each event until it unsubscribes", () => {
  const agentEvents = new AgentEvents({ now: () => 0, after: () => () => {} });
  const listener = vi.fn<() => void>();
  const unfollow = agentEvents.follow(listener);
  agentEvents.record({ what: "connected" });
  unfollow();
  agentEvents.record({ what: "connection-lost" });
  expect(listener).toHaveBeenCalledTimes(1);
});
