import { toTimestamp } from "@binnacle/proto/wire-values";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { LocalConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import { ScriptedRouter } from "../../agent-call/testing/scripted-router.ts";
import { connectionOf } from "../../agent-tracker/agent-tracker.conformance.ts";
import { MemoryConnectionHistory } from "../../agent-tracker/connection-history.ts";
import { MemoryAgentTracker } from "../../agent-tracker/memory-agent-tracker.ts";
import { ProxyAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../main-application/testing/fake-main-application.ts";
import { CallerAccess } from "../access/caller-access.ts";
import { KubernetesApiListener } from "../listener/kubernetes-api-listener.ts";
import { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";
import { AgentEndpoint } from "./agent-endpoint.ts";
import { AGENT_READER_HEADER, AgentReaderGate } from "./agent-reader-gate.ts";

const SECRET = Buffer.alloc(32, 7);
const PREFIX = "/-/k8s/";
const USER = {
  agent: { id: 7, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["developer"] }], groups: [] } },
};

let application: FakeMainApplication;
let tracker: MemoryAgentTracker;
let history: MemoryConnectionHistory;
let errors: LocalConfigurationErrors;
let router: ScriptedRouter;
let listener: KubernetesApiListener;

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = ({ body }) => (body.includes('"good"') ? { status: 200, body: USER } : { status: 401, body: {} });
  tracker = new MemoryAgentTracker();
  history = new MemoryConnectionHistory(systemClock, "kas-a");
  errors = new LocalConfigurationErrors(systemClock, 60_000);
  router = new ScriptedRouter();
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const settings = {
    router,
    authorizer: new ProxyAuthorizer(application.client(), systemClock, { users: ttl, jobs: ttl }),
    errors,
    clock: systemClock,
    log: createLogger("test", "silent"),
    pathPrefix: PREFIX,
    allowedOrigin: "https://app.example",
    waitMs: 1_000,
    serverName: "gitlab-kas/test",
    onAnswer: () => undefined,
  };
  const callers = new CallerAccess(settings);
  const endpoint = new AgentEndpoint({
    callers,
    tracker,
    history,
    errors,
    clock: systemClock,
    kas: { name: "kas-a", version: "v1" },
    pathPrefix: PREFIX,
    readers: new AgentReaderGate(SECRET, systemClock),
  });
  listener = await KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    proxy: new KubernetesProxy({ ...settings, callers }),
    clock: systemClock,
    graceMs: 10,
    upgrade: () => false,
    intercept: (request, response) => endpoint.intercept(request, response),
  });
});

afterEach(async () => {
  await listener.close();
  await application.close();
});

function get(query = "", headers: Record<string, string> = {}, token = "good"): Promise<Response> {
  return fetch(`http://${listener.address}${PREFIX}binnacle/v1/agent${query}`, {
    headers: { authorization: `Bearer pat:7:${token}`, ...headers },
  });
}

function connect(connectionId = 1n): void {
  const info = {
    ...connectionOf({ agentId: 7n, connectionId }),
    abilities: ["views", "logs"],
    connectedAt: toTimestamp(systemClock.now()),
  };
  tracker.register(info);
  history.connected(info);
}

function assertion(claims: object = {}, over: { secret?: Buffer; audience?: string; ageS?: number } = {}): Promise<string> {
  const { secret = SECRET, audience = "binnacle-kas/agents", ageS = 0 } = over;
  const issuedAt = Math.floor(systemClock.now() / 1_000) - ageS;
  return new SignJWT({ agent_id: "7", sub: "ann", ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("binnacle-web")
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3_600)
    .sign(secret);
}

test("the status names replicas, history and since when it is complete; nothing is requested from the agent", async () => {
  connect();
  const body = await (await get()).json();
  expect(body).toMatchObject({
    replicas: [{ connectionId: "1", podName: "agentk-0", version: "v1.2.3", kas: "kas-a", abilities: ["logs", "views"] }],
    history: [{ connectionId: "1", podName: "agentk-0" }],
    historySince: expect.stringMatching(/Z$/),
    kasVersion: "v1",
  });
  expect(body).not.toHaveProperty("configurationProblem");
});

test("a measured round trip and the commit of the configuration appear with their replica", async () => {
  connect();
  tracker.update(1n, { configurationCommit: "abc123", latency: { $typeName: "google.protobuf.Duration", seconds: 0n, nanos: 2_000_000 } });
  tracker.update(9n, { configurationCommit: "of another kas" });
  expect(await (await get()).json()).toMatchObject({ replicas: [{ configurationCommit: "abc123", latency: "0.002s" }] });
});

test("a broken configuration is named with the commit that stays in force", async () => {
  errors.set(7n, { reason: ".gitlab/agents/demo/config.yaml:3:1: bad indentation", lastGoodCommit: "abc" });
  expect(await (await get()).json()).toMatchObject({
    configurationProblem: { reason: ".gitlab/agents/demo/config.yaml:3:1: bad indentation", lastGoodCommit: "abc" },
  });
});

test("a waiting request is answered as soon as the first process connects", async () => {
  const first = await get();
  const etag = first.headers.get("etag") ?? "";
  const waiting = get("?wait=30", { "if-none-match": etag });
  // It waits: another request is answered first.
  expect((await get("", { "if-none-match": etag })).status).toBe(304);
  connect();
  const second = await waiting;
  expect(second.status).toBe(200);
  expect(await second.json()).toMatchObject({ replicas: [{ connectionId: "1" }] });
});

describe("who may read it", () => {
  test("T73: a user who may not use the agent gets what a bad credential gets", async () => {
    const response = await get("", {}, "bad");
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("agentk-0");
  });

  test("T73: a member of the agent's project whom the dashboard names reads the status, of that agent alone", async () => {
    connect();
    const named = await get("", { [AGENT_READER_HEADER]: await assertion() }, "bad");
    expect(named.status).toBe(200);
    const other = await get("", { [AGENT_READER_HEADER]: await assertion({ agent_id: "8" }) }, "good");
    expect(other.status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ["signed by another", {}, { secret: Buffer.alloc(32, 8) }],
    ["for readers of manifests", {}, { audience: "binnacle-kas/manifests" }],
    ["older than a minute", {}, { ageS: 120 }],
    ["without a viewer", { sub: undefined }, {}],
  ])("T73: an assertion %s is rejected", async (_, claims, over) => {
    connect();
    const response = await get("", { [AGENT_READER_HEADER]: await assertion(claims, over) }, "bad");
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain("agentk-0");
  });

  test("T73: the assertion opens nothing of the cluster", async () => {
    const headers = { authorization: "Bearer pat:7:bad", [AGENT_READER_HEADER]: await assertion() };
    expect((await fetch(`http://${listener.address}${PREFIX}api/v1/namespaces`, { headers })).status).toBe(401);
  });
});
