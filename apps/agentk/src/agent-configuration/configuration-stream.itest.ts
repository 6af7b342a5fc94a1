import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  api.answer = (_request, response) =>
    void response.end(JSON.stringify({ major: "1", minor: "36", gitVersion: "v1.36.3", platform: "linux/amd64" }));
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

test("says who the agent is, and with the same instance as its tunnels", async () => {
  const stream = await kas.configuration();
  expect(stream.request).toMatchObject({
    commitId: "",
    agentMeta: { podNamespace: "ns", podName: "pod-1", kubernetesVersion: { major: "1", gitVersion: "v1.36.3" } },
  });
  expect(stream.headers).toMatchObject({ authorization: "Bearer glagent-test" });
  expect(stream.headers["agentk-instance"]).toBe((await kas.tunnel()).headers["agentk-instance"]);
});

test("opens again at the commit it has when kas ends the stream", async () => {
  const first = await kas.configuration();
  first.send({ commitId: "abc", configuration: { agentId: 1n } });
  first.end();
  expect((await kas.configuration()).request.commitId).toBe("abc");
});

test("opens again after an error", async () => {
  (await kas.configuration()).end({ code: 9, message: "Config: no such file" });
  expect((await kas.configuration()).request.commitId).toBe("");
});

test("opens again after something that cannot be read", async () => {
  const first = await kas.configuration();
  first.send({ commitId: "good", configuration: { agentId: 1n } });
  first.raw(Buffer.from([0x0a, 0x7f, 1]));
  expect((await kas.configuration()).request.commitId).toBe("good");
});

test("I13: refusals of a configuration are one line when they begin and one when they end, and the same configuration again is no news", async () => {
  (await kas.configuration()).end({ code: 14, message: "away" });
  (await kas.configuration()).end({ code: 14, message: "away" });
  const stream = await kas.configuration();
  for (let count = 0; count < 3; count += 1) stream.send({ commitId: "abc", configuration: { agentId: 1n } });
  stream.send({ commitId: "def", configuration: { agentId: 1n } });
  await until(() => agent.lines.filter((line) => line.endsWith("configuration received")).length === 2);
  expect(agent.lines.filter((line) => line.includes("configuration"))).toEqual([
    "warn: kas gives no configuration",
    "info: kas gives a configuration again",
    "info: configuration received",
    "info: configuration received",
  ]);
  const events = agent.agent.agentEvents.recorded.map(({ event }) => event).filter(({ what }) => what.startsWith("configuration"));
  expect(events).toEqual([
    { what: "configuration-refused", code: 14 },
    { what: "configuration-given" },
    { what: "configuration-applied", commit: "abc" },
    { what: "configuration-applied", commit: "def" },
  ]);
});
