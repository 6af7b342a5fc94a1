import { onTestFinished } from "vitest";

import { FakeAgent, type FakeAgentOptions } from "../../testing/fake-agent.ts";
import { startTestKas, type TestKas, type TestKasOptions } from "./kas-bench.ts";

/** A kas for the running test, which stops it at its end; what was opened later is closed before it. */
export async function kasOf(options: TestKasOptions = {}): Promise<TestKas> {
  const kas = await startTestKas(options);
  onTestFinished(() => kas.stop());
  return kas;
}

/** An agent for the running test, with the token of agent 1 which does not answer by default. @param url of its kas */
export async function agentOf(url: string, options: Partial<FakeAgentOptions> = {}): Promise<FakeAgent> {
  const agent = await FakeAgent.connect(url, { token: "agent-1", onCall: () => undefined, ...options });
  onTestFinished(() => agent.stop());
  return agent;
}
