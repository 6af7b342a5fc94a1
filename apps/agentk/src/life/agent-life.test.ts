import { expect, test, vi } from "vitest";

import { AgentLife } from "./agent-life.ts";

test("moments are kept in order, with numbers that never come again, and the last hundred of them", () => {
  let now = 0;
  const life = new AgentLife({ now: () => now, after: () => () => {} });
  for (let index = 1; index <= 250; index += 1) {
    now = index * 10;
    life.note({ what: index % 2 === 0 ? "connection-lost" : "connected" });
  }
  expect(life.moments).toHaveLength(100);
  expect(life.moments.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 151));
  expect(life.moments.at(-1)).toEqual({ number: 250, atMs: 2_500, moment: { what: "connection-lost" } });
});

test("a follower is notified of each moment until it unsubscribes", () => {
  const life = new AgentLife({ now: () => 0, after: () => () => {} });
  const heard = vi.fn<() => void>();
  const leave = life.follow(heard);
  life.note({ what: "connected" });
  leave();
  life.note({ what: "connection-lost" });
  expect(heard).toHaveBeenCalledTimes(1);
});
