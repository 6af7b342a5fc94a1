import { create } from "@bufbuild/protobuf";
import { AgentConnectionSchema, AgentReplicaSchema, type AgentConnection } from "@binnacle/proto/dashboard-agents";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { expect, test } from "vitest";

import { shownConnections, TIMELINE_MS, timelineOf } from "./connection-timeline.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

function connection(id: bigint, fromHours: number, toHours?: number): AgentConnection {
  const times = {
    connectedAt: toTimestamp(NOW - fromHours * HOUR),
    ...(toHours !== undefined && { disconnectedAt: toTimestamp(NOW - toHours * HOUR) }),
  };
  return create(AgentConnectionSchema, { connectionId: id, ...times });
}

const replica = (connectionId: bigint) => create(AgentReplicaSchema, { connectionId });
const partsOf = (history: AgentConnection[], open: bigint[] = [], since = NOW - TIMELINE_MS) =>
  timelineOf(shownConnections(history, open.map(replica)), since, NOW).map(({ kind, left, width }) => [
    kind,
    Math.round(left),
    Math.round(width),
  ]);

test("connections that follow each other are one part, a gap stays a gap", () => {
  expect(partsOf([connection(3n, 6), connection(2n, 12, 6), connection(1n, 24, 18)], [3n])).toEqual([
    ["connected", 0, 25],
    ["connected", 50, 50],
  ]);
});

test("what is before the history is not known", () => {
  expect(partsOf([], [], NOW - 6 * HOUR)).toEqual([["unknown", 0, 75]]);
  expect(partsOf([], [], NOW - 48 * HOUR)).toEqual([]);
});

test("a connection whose end was not recorded is not shown as connected until now", () => {
  expect(partsOf([connection(2n, 6, 3), connection(1n, 12)])).toEqual([
    ["unknown", 50, 25],
    ["connected", 75, 13],
  ]);
  expect(shownConnections([connection(1n, 12)], [])[0]?.until).toBe("unknown");
});

test("a connection of before the timeline begins at its edge", () => {
  expect(partsOf([connection(1n, 30, 12)])).toEqual([["connected", 0, 50]]);
});
