import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ByteLedger } from "@binnacle/grpc-wire";
import { AgentConfiguration } from "@binnacle/proto/agent-configuration";
import { AgentRegistrar } from "@binnacle/proto/agent-registrar";
import { ServerInfo } from "@binnacle/proto/server-info-rpc";
import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { MemoryConnectionHistory } from "../agent-tracker/connection-history.ts";
import { MemoryAgentTracker } from "../agent-tracker/memory-agent-tracker.ts";
import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { ConnectionLimit } from "../limits/connection-limit.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { AgentEvents } from "../usage/agent-events.ts";
import { agentServices, type AgentServicesOptions } from "./agent-services.ts";
import { GitConfigurations } from "./git-configurations.ts";
import { LocalConfigurationErrors } from "./configuration-errors.ts";
import { PushNotices } from "../gitaly/push-notices.ts";

type Bound = Parameters<AgentServicesOptions["registry"]["bindConnection"]>[0];

let repository: TestRepository;
let gitaly: FakeGitaly;
let main: FakeMainApplication;
let tracker: MemoryAgentTracker;
let history: MemoryConnectionHistory;
let bound: Map<bigint, Bound>;
let agent: Client<typeof AgentConfiguration>;
let registrar: Client<typeof AgentRegistrar>;
let info: Client<typeof ServerInfo>;
let events: AgentEvents;
let stop: () => Promise<void>;
beforeEach(async () => {
  repository = new TestRepository();
  repository.push({ ".gitlab/agents/demo/config.yaml": "{}" });
  gitaly = await startGitaly(repository.root);
  main = await startMainApplication();
  main.answer = () => ({ status: 204 });
  tracker = new MemoryAgentTracker();
  history = new MemoryConnectionHistory(systemClock, "kas-a");
  bound = new Map();
  events = new AgentEvents();
  const rate = () => new TokenBucket(systemClock, { perSecond: 1_000, burst: 1_000 });
  const client = new GitalyClient({ clock: systemClock, globalRate: rate(), serverRate: rate });
  const authenticator: AgentAuthenticator = {
    async authenticate(authorization) {
      if (!/^bearer +good$/i.test(authorization ?? "")) throw new Fault("token_unknown", "unauthenticated");
      const names = {
        storageName: "default",
        relativePath: repository.relativePath,
        glRepository: "project-3",
        glProjectPath: "group/app",
      };
      const access = { address: gitaly.address, token: "", features: {} };
      return {
        agentId: 7n,
        agentName: "demo",
        projectId: 3n,
        projectPath: "group/app",
        source: { gitaly: access, repository: names, defaultBranch: "" },
      };
    },
  };
  const registry: Pick<AgentServicesOptions["registry"], "bindConnection" | "unbindConnection"> = {
    bindConnection: (connection) => void bound.set(connection.connectionId, connection),
    unbindConnection: (connectionId) => void bound.delete(connectionId),
  };
  const services = agentServices({
    authenticator,
    tracker,
    updates: tracker,
    history,
    // The services use only these two methods.
    registry: registry as AgentServicesOptions["registry"],
    limit: new ConnectionLimit(systemClock, 2),
    registrations: events,
    version: { version: "v9", gitRef: "abc" },
    configurations: new GitConfigurations({
      gitaly: client,
      mainApplication: main.client(),
      repositories: new RepositoryPoller({ gitaly: client, pushes: new PushNotices(), clock: systemClock, pollMs: 60_000 }),
      log: createLogger("test", "silent"),
      maxFileBytes: 1_000,
    }),
    errors: new LocalConfigurationErrors(systemClock, 60_000),
    clock: systemClock,
    log: createLogger("test", "silent"),
    maxAgeMs: 3_600_000,
    externalUrl: "https://gitlab.example.com",
  });
  const listener = await openAgentListener({
    listen: { host: "127.0.0.1", port: 0 },
    clock: systemClock,
    log: createLogger("test", "silent"),
    authenticator,
    registry: new TunnelRegistry(),
    ledger: new ByteLedger({ processBytes: 1_000_000, agentBytes: 1_000_000, userBytes: 1_000_000 }),
    shutdownGraceMs: 0,
    connectHandler: createTypedHandler({ routes: services, readMaxBytes: 64 * 1024, contextValues: agentContextOf }),
  });
  const transport = createGrpcTransport({ baseUrl: `http://${listener.address}` });
  agent = createClient(AgentConfiguration, transport);
  registrar = createClient(AgentRegistrar, transport);
  info = createClient(ServerInfo, transport);
  stop = async () => {
    client.close();
    await listener.close();
  };
});
afterEach(async () => {
  await stop();
  gitaly.close();
  await main.close();
  repository.remove();
});

const good = { authorization: "Bearer good", "agentk-instance": "replica-1" };
const META = { version: "v1", commitId: "c", podNamespace: "ns", podName: "pod" };

test("an agent is connected as long as its stream, bound to its replica", async () => {
  const leave = new AbortController();
  const stream = agent.getConfiguration({ agentMeta: META }, { headers: good, signal: leave.signal })[Symbol.asyncIterator]();
  expect((await stream.next()).value).toMatchObject({ configuration: { agentId: 7n } });
  const [connected] = await tracker.byAgent(7n);
  expect(connected).toMatchObject({ agentId: 7n, projectId: 3n, agentMeta: META });
  expect(connected?.connectedAt).toBeDefined();
  expect([...bound.values()]).toEqual([{ agentId: 7n, connectionId: connected?.connectionId, replica: "i:replica-1" }]);
  leave.abort();
  await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
  await until(() => bound.size === 0);
  expect(await tracker.byAgent(7n)).toEqual([]);
});

test("a connection has abilities, the commit of its configuration and a round trip, and stays in the history when it has ended", async () => {
  const leave = new AbortController();
  const headers = { ...good, "agentk-caps": "impersonation,logs" };
  const stream = agent.getConfiguration({ agentMeta: META }, { headers, signal: leave.signal })[Symbol.asyncIterator]();
  const { value } = await stream.next();
  const connected = async () => (await tracker.byAgent(7n))[0];
  await expect.poll(async () => (await connected())?.latency).toBeDefined();
  expect(await connected()).toMatchObject({
    abilities: ["impersonation", "logs", "reports", "reset", "views"],
    configurationCommit: value?.commitId,
  });
  expect((await history.of(7n)).connections).toMatchObject([{ podName: "pod", kas: "kas-a" }]);
  leave.abort();
  await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
  await expect.poll(async () => (await history.of(7n)).connections[0]?.disconnectedAt).toBeDefined();
});

test("a stream that fails is not connected any more", async () => {
  repository.push({ ".gitlab/agents/demo/config.yaml": "nonsense: 1" });
  const stream = agent.getConfiguration({ agentMeta: META }, { headers: good })[Symbol.asyncIterator]();
  await expect(stream.next()).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringMatching(/^Config: .*nonsense/),
  });
  expect(await tracker.byAgent(7n)).toEqual([]);
  expect(bound.size).toBe(0);
});

test("an unknown token opens nothing", async () => {
  const headers = { authorization: "Bearer bad" };
  await expect(agent.getConfiguration({}, { headers })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: Code.Unauthenticated,
  });
  await expect(registrar.register({}, { headers })).rejects.toMatchObject({ code: Code.Unauthenticated });
  await expect(registrar.unregister({}, { headers })).rejects.toMatchObject({ code: Code.Unauthenticated });
  await expect(info.getServerInfo({}, { headers })).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(events.now).toBeUndefined();
});

test("an agent that registers is an event for the main application, with what its token says it is", async () => {
  const agentMeta = { ...META, version: "v".repeat(1_000), kubernetesVersion: { gitVersion: "v1.36.3" } };
  for (let count = 0; count < 2; count += 1) await registrar.register({ agentMeta, podId: 5n }, { headers: good });
  const event = { agent_id: 7, project_id: 3, agent_version: "v".repeat(128), kubernetes_version: "v1.36.3" };
  expect(events.now).toEqual({ events: { register_agent_at_kas: [event] } });
  await registrar.unregister({ podId: 5n }, { headers: good });
  await registrar.register({ podId: 5n }, { headers: good });
  expect(events.now?.events.register_agent_at_kas).toHaveLength(2);
});

test("an agent hears which kas it talks to", async () => {
  expect((await info.getServerInfo({}, { headers: good })).currentServerInfo).toMatchObject({ version: "v9", gitRef: "abc" });
});

test("a token opens only so many streams a minute, and hears when it may again", async () => {
  repository.push({ ".gitlab/agents/demo/config.yaml": null });
  const open = (authorization = "Bearer good") => agent.getConfiguration({}, { headers: { authorization } })[Symbol.asyncIterator]().next();
  await expect(open()).rejects.toMatchObject({ code: Code.FailedPrecondition });
  await expect(open("bearer  good")).rejects.toMatchObject({ code: Code.FailedPrecondition });
  const refused = ConnectError.from(await open("BEARER good").catch((error: unknown) => error));
  expect(refused.code).toBe(Code.ResourceExhausted);
  expect(Number(refused.metadata.get("retry-after"))).toBeGreaterThan(0);
});
