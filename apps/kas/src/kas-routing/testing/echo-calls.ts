import { expect } from "vitest";

import type { AgentCallRequest } from "../../agent-call/agent-call.ts";
import { contextOf } from "../../agent-call/testing/call-context.ts";
import { ECHO, type FakeAgent, type FakeAgentCall, type FakeAgentOptions } from "../../testing/fake-agent.ts";
import type { TestKas, TestKasOptions } from "./kas-bench.ts";
import { agentOf, kasOf } from "./kas-of.ts";
import { RecordingListener } from "../../agent-call/testing/recording-listener.ts";
import { SharedRoutes } from "./shared-routes.ts";

/** `agentOf` of an agent that echoes by default. */
export function echoAgentOf(url: string, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  return agentOf(url, { onCall: echo, ...options });
}

/** A call of `ECHO` at agent 1. */
export function requestOf(changes: Partial<AgentCallRequest> = {}): AgentCallRequest {
  return { agentId: 1n, method: ECHO, metadata: new Map(), context: contextOf(), signal: new AbortController().signal, ...changes };
}

/** Sends back what it gets. */
export function echo(call: FakeAgentCall): void {
  call.header(new Map([["answered-by", ["fake"]]]));
  call.onMessage = (data) => call.message(data);
  call.onCloseSend = () => call.finish();
}

/** Makes a whole call, and expects its echo. */
export async function callEcho(kas: TestKas, changes: Partial<AgentCallRequest> = {}): Promise<{ hops: number; messages: string[] }> {
  const listener = new RecordingListener();
  const call = await kas.router.open(requestOf(changes), listener);
  call.write([Buffer.from("ay"), Buffer.from("e aye")]);
  call.closeSend();
  expect(await listener.ended).toMatchObject({ code: 0 });
  expect(listener.headers[0]?.get("answered-by")).toEqual(["fake"]);
  return { hops: call.hops, messages: listener.messages };
}

/** Two kas with one route store; the agent is connected to the second alone. */
export async function twoKas(
  agent: Partial<FakeAgentOptions> = {},
  kas: Pick<TestKasOptions, "clock" | "log"> = {},
): Promise<{ first: TestKas; second: TestKas; routes: SharedRoutes; agent: FakeAgent }> {
  const routes = new SharedRoutes();
  const options = { routes: (kasId: string, url: string) => routes.storeOf(kasId, url), ...kas };
  const first = await kasOf(options);
  const second = await kasOf(options);
  return { first, second, routes, agent: await echoAgentOf(second.agentUrl, agent) };
}
