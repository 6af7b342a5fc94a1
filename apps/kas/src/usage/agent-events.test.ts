import { create } from "@bufbuild/protobuf";
import { AgentMetaSchema } from "@binnacle/proto/modshared";
import { expect, test } from "vitest";

import { AgentEvents, type RegisteredAgent } from "./agent-events.ts";

const AGENT: RegisteredAgent = {
  agentId: 7n,
  projectId: 3n,
  podId: 11n,
  meta: create(AgentMetaSchema, { version: "v1", kubernetesVersion: { gitVersion: "v1.36.3" } }),
};
const EVENT = { project_id: 3, agent_id: 7, agent_version: "v1", kubernetes_version: "v1.36.3" };

const events = (of: AgentEvents): readonly unknown[] => of.now?.events.register_agent_at_kas ?? [];

test("a process that registers again and again is one event", () => {
  const of = new AgentEvents();
  expect(of.now).toBeUndefined();
  of.registered(AGENT);
  of.registered(AGENT);
  of.registered({ ...AGENT, podId: 12n, meta: undefined });
  expect(events(of)).toEqual([EVENT, { ...EVENT, agent_version: "", kubernetes_version: "" }]);
});

test("a process that disconnects and registers again is a new one", () => {
  const of = new AgentEvents();
  of.registered(AGENT);
  of.unregistered(AGENT);
  of.registered(AGENT);
  expect(events(of)).toEqual([EVENT, EVENT]);
});

test("reported events are removed, and those added meanwhile remain", () => {
  const of = new AgentEvents();
  of.registered(AGENT);
  const { now } = of;
  of.registered({ ...AGENT, agentId: 8n });
  if (now) of.accepted(now);
  expect(events(of)).toEqual([{ ...EVENT, agent_id: 8 }]);
  of.registered(AGENT);
  expect(events(of)).toHaveLength(1);
});

test("neither the events that wait nor the processes that are known are more than so many", () => {
  const of = new AgentEvents();
  for (let index = 0n; index < 10_001n; index += 1n) of.registered({ ...AGENT, agentId: index });
  expect(events(of)).toHaveLength(1_000);
  // The first one is not known any more, the last one is.
  of.registered({ ...AGENT, agentId: 10_000n });
  expect(events(of).at(-1)).toMatchObject({ agent_id: 10_000 });
  of.registered({ ...AGENT, agentId: 0n });
  expect(events(of).at(-1)).toMatchObject({ agent_id: 0 });
});
