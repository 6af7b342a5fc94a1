import { afterEach, expect, test } from "vitest";

import { ECHO, FakeAgent, type FakeAgentCall, type FakeAgentOptions } from "../testing/fake-agent.ts";
import { startTestKas, type TestKas, type TestKasOptions } from "../testing/kas-bench.ts";
import { RecordingListener } from "../testing/recording-listener.ts";
import type { AgentCallRequest } from "./agent-call.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function kasOf(options: TestKasOptions = {}): Promise<TestKas> {
  const kas = await startTestKas(options);
  cleanUps.push(() => kas.stop());
  return kas;
}

async function agentOf(url: string, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  const agent = await FakeAgent.connect(url, { token: "agent-1", onCall: echo, ...options });
  cleanUps.push(() => agent.stop());
  return agent;
}

function requestOf(changes: Partial<AgentCallRequest> = {}): AgentCallRequest {
  return { agentId: 1n, method: ECHO, metadata: new Map(), waitMs: 5_000, signal: new AbortController().signal, ...changes };
}

function echo(call: FakeAgentCall): void {
  call.header(new Map([["answered-by", ["fake"]]]));
  call.onMessage = (data) => call.message(data);
  call.onCloseSend = () => call.finish();
}

async function callEcho(kas: TestKas, changes: Partial<AgentCallRequest> = {}): Promise<{ hops: number; messages: string[] }> {
  const listener = new RecordingListener();
  const call = await kas.router.open(requestOf(changes), listener);
  call.write([Buffer.from("ay"), Buffer.from("e aye")]);
  call.closeSend();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(listener.headers[0]?.get("answered-by")).toEqual(["fake"]);
  return { hops: call.hops, messages: listener.messages };
}

test("a call travels through a tunnel of this kas", async () => {
  const kas = await kasOf();
  await agentOf(kas.agentUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});

test("a call travels through a tunnel inside a WebSocket", async () => {
  const kas = await kasOf();
  await agentOf(kas.webSocketUrl);
  expect(await callEcho(kas)).toEqual({ hops: 0, messages: ["aye aye"] });
});
