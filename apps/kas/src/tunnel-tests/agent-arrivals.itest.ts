import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { expect, test } from "vitest";

import { FakeAgent } from "../testing/fake-agent.ts";
import { startTestKas } from "../kas-routing/testing/kas-bench.ts";

/** A logger whose lines the test sees. */
function recordingLog() {
  const lines: { readonly level: string; readonly msg: string; readonly fields: Record<string, unknown> }[] = [];
  const log = createLogger("test", "silent");
  const record =
    (level: string) =>
    (fields: Record<string, unknown>, msg: string): void =>
      void lines.push({ level, msg, fields });
  return { lines, log: Object.assign(log, { info: record("info"), warn: record("warn") }) };
}

test.each(["grpc", "websocket"])("I8: an agent that comes and goes over %s has a line each, whatever it opens", async (transport) => {
  const { lines, log } = recordingLog();
  const kas = await startTestKas({ log });
  const url = transport === "grpc" ? kas.agentUrl : kas.webSocketUrl;
  const agent = await FakeAgent.connect(url, { token: "agent-7", tunnels: 5, instance: "pod-1", onCall: () => undefined });
  await until(() => kas.registry.counts().idle === 5);
  agent.stop();
  await until(() => lines.length === 2);
  const who = { agent_id: "7", agent_name: "agent 7", replica: "i:pod-1", transport, peer: expect.stringMatching(/127\.0\.0\.1$/) };
  expect(lines).toMatchObject([
    { level: "info", msg: "agent connected", fields: who },
    { level: "info", msg: "agent disconnected", fields: { ...who, duration_ms: expect.any(Number) } },
  ]);
  await kas.stop();
});

test("I8, XM13: a refused token is a line with its reason and its peer, and no line has the token", async () => {
  const { lines, log } = recordingLog();
  const kas = await startTestKas({ log });
  const agent = await FakeAgent.connect(kas.agentUrl, { token: "canary-of-a-token", onCall: () => undefined });
  await until(() => lines.length > 0);
  expect(lines).toMatchObject([{ level: "warn", msg: "refused", fields: { listener: "agent", reason: "token_unknown" } }]);
  expect(JSON.stringify(lines)).not.toContain("canary-of-a-token");
  agent.stop();
  await kas.stop();
});
