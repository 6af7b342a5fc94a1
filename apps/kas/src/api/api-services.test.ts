import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { GetConnectedAgentsResponseSchema } from "@binnacle/proto/agent-tracker-rpc";
import { createLogger } from "@binnacle/telemetry";
import { expect, test, vi } from "vitest";

import { MemoryAgentTracker } from "../agent-tracker/memory-agent-tracker.ts";
import { checkReplica, listable } from "./api-services.ts";

const log = createLogger("test", "silent");
const infoOf = (agentId: bigint, connectionId: bigint, version = "v1"): ConnectedAgentInfo =>
  create(ConnectedAgentInfoSchema, { agentId, connectionId, projectId: 1n, agentMeta: { version } });

test("XM4: at most 256 replicas of an agent are listed, and no other agent suffers", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => infoOf(1n, BigInt(at)));
  const listed = listable([...many, infoOf(2n, 7n)], log);
  expect(listed.filter(({ agentId }) => agentId === 1n)).toHaveLength(256);
  expect(listed.at(-1)?.agentId).toBe(2n);
});

test("XM4: an answer stays under 4 MiB whatever is in the store, and the log has a line when it was cut", () => {
  const warn = vi.spyOn(log, "warn");
  const connections = Array.from({ length: 10_000 }, (_, at) => infoOf(BigInt(at), 1n, "x".repeat(at % 7 === 0 ? 100_000 : 600)));
  const agents = listable(connections, log);
  const bytes = toBinary(GetConnectedAgentsResponseSchema, create(GetConnectedAgentsResponseSchema, { agents })).length;
  expect(bytes).toBeLessThan(4 * 1024 * 1024);
  expect(bytes).toBeGreaterThan(3_000_000);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ listed: agents.length, connected: 10_000 }, "a list of connected agents was cut");
  warn.mockRestore();
});

test("a list that fits is whole, and nothing is logged", () => {
  const warn = vi.spyOn(log, "warn");
  const connections = [infoOf(1n, 1n), infoOf(2n, 2n)];
  expect(listable(connections, log)).toEqual(connections);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("I10: an unknown connection of a connected agent is refused at once, in words that are true", async () => {
  const tracker = new MemoryAgentTracker();
  tracker.register(infoOf(1n, 5n));
  await expect(checkReplica(tracker, { agentId: 1n, connectionId: 6n })).rejects.toMatchObject({
    reason: "replica_not_addressable",
    message: "agent 1 is connected, but connection 6 is not one of its replicas",
  });
  await expect(checkReplica(tracker, { agentId: 1n, connectionId: 5n })).resolves.toBeUndefined();
  await expect(checkReplica(tracker, { agentId: 1n, connectionId: 0n })).resolves.toBeUndefined();
  await expect(checkReplica(tracker, { agentId: 2n, connectionId: 5n })).resolves.toBeUndefined();
});

test("I10: an unavailable store rejects no request", async () => {
  const tracker = new MemoryAgentTracker();
  tracker.byAgent = () => Promise.reject(new Error("away"));
  await expect(checkReplica(tracker, { agentId: 1n, connectionId: 6n })).resolves.toBeUndefined();
});
