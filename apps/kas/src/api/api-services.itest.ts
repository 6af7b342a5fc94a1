import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, createClient, type Client, type ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ConnectedAgentInfoSchema } from "@binnacle/proto/agent-tracker";
import { AgentTracker } from "@binnacle/proto/agent-tracker-rpc";
import { ConfigurationProject } from "@binnacle/proto/configuration-project";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { KasApi, KasInternal } from "@binnacle/proto/kas";
import { Notifications } from "@binnacle/proto/notifications";
import { ServerInfo } from "@binnacle/proto/server-info-rpc";
import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { SignJWT } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";

import { PushNotices } from "../gitaly/push-notices.ts";
import { MemoryAgentTracker } from "../agent-tracker/memory-agent-tracker.ts";
import { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { AgentCallListener, AgentCallRequest, AgentRouter } from "../agent-call/agent-call.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import { startGitaly } from "../testing/fake-gitaly.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { openApiListener } from "./api-listener.ts";
import { apiServices, internalServices } from "./api-services.ts";
import { JwtGate } from "./jwt-gate.ts";

const SECRET = Buffer.alloc(64, 9);
const cleanUps: (() => unknown)[] = [];

/** What the cluster answers to a request, by the `continue` of its query. */
type Cluster = (next: string) => { readonly status: number; readonly body: string | Uint8Array; readonly raw?: Uint8Array };

class FakeRouter implements AgentRouter {
  readonly requests: AgentCallRequest[] = [];
  cancelled = 0;
  cluster: Cluster | Fault = new Fault("agent_not_connected", "the agent is not connected");

  async open(request: AgentCallRequest, listener: AgentCallListener) {
    const { cluster } = this;
    this.requests.push(request);
    if (cluster instanceof Fault) throw cluster;
    const answer = (bytes: Uint8Array): void => {
      const { message } = fromBinary(HttpRequestSchema, bytes);
      if (message.case !== "header") return;
      const { status, body, raw } = cluster(message.value.request?.query["continue"]?.value[0] ?? "");
      const header = create(HttpResponseSchema, { message: { case: "header", value: { response: { statusCode: status } } } });
      const data = create(HttpResponseSchema, { message: { case: "data", value: { data: Buffer.from(body) } } });
      const trailer = create(HttpResponseSchema, { message: { case: "trailer", value: {} } });
      for (const part of raw ? [raw] : [header, data, trailer].map((value) => toBinary(HttpResponseSchema, value))) listener.message(part);
      listener.end({ code: 0, message: "", trailer: new Map(), stage: "answered" });
    };
    return {
      hops: 0,
      write: (pieces: readonly Uint8Array[]) => (answer(Buffer.concat(pieces)), true),
      onDrain: () => undefined,
      closeSend: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      cancel: () => void (this.cancelled += 1),
    };
  }
}

let router: FakeRouter;
let tracker: MemoryAgentTracker;
let pushes: PushNotices;
let transport: Transport;
let kasApi: Client<typeof KasApi>;
let headers: Record<string, string>;
beforeEach(async () => {
  router = new FakeRouter();
  tracker = new MemoryAgentTracker();
  pushes = new PushNotices();
  const log = createLogger("test", "silent");
  const rate = () => new TokenBucket(systemClock, { perSecond: 1_000, burst: 1_000 });
  const gitaly = new GitalyClient({ clock: systemClock, globalRate: rate(), serverRate: rate });
  const gate = new JwtGate({ secret: SECRET, issuers: ["gitlab"], clock: systemClock });
  const services = apiServices({
    tracker,
    router,
    clock: systemClock,
    gitaly,
    pushes,
    log,
    waitMs: 20_000,
    version: { version: "1.2.3", gitRef: "abc" },
  });
  const listener = await openApiListener({
    listen: { host: "127.0.0.1", port: 0 },
    clock: systemClock,
    log,
    gate,
    shutdownGraceMs: 0,
    connectHandler: createTypedHandler({
      readMaxBytes: 10 * 1024 * 1024,
      routes(routes) {
        services(routes);
        internalServices(router, { waitMs: 5_000, log, clock: systemClock })(routes);
      },
    }),
  });
  transport = createGrpcTransport({ baseUrl: `http://${listener.address}` });
  kasApi = createClient(KasApi, transport);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("gitlab")
    .setAudience("gitlab-kas")
    .setExpirationTime("1m")
    .sign(SECRET);
  headers = { authorization: `Bearer ${token}` };
  cleanUps.push(
    () => gitaly.close(),
    () => listener.close(),
  );
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const connected = (agentId: bigint, connectionId: bigint, projectId = 3n) =>
  tracker.register(
    create(ConnectedAgentInfoSchema, {
      agentId,
      connectionId,
      projectId,
      agentMeta: { version: "v1", commitId: "c", podNamespace: "ns", podName: `pod-${connectionId}` },
    }),
  );
const podList = (names: readonly string[], next = ""): string =>
  JSON.stringify({ metadata: { continue: next }, items: names.map((name) => ({ metadata: { name, namespace: "shop" } })) });

test("no service answers without a JWT, whichever method it is", async () => {
  const unauthenticated = expect.objectContaining<Partial<ConnectError>>({ code: Code.Unauthenticated });
  await expect(kasApi.connectedAgentsForProject({ projectId: 3n })).rejects.toEqual(unauthenticated);
  await expect(kasApi.connectedAgentsById({ agentId: 7n })).rejects.toEqual(unauthenticated);
  await expect(kasApi.getPods({ agentId: 7n }, { headers: { authorization: "Bearer x" } })).rejects.toEqual(unauthenticated);
  await expect(createClient(AgentTracker, transport).getConnectedAgents({})).rejects.toEqual(unauthenticated);
  await expect(createClient(AgentTracker, transport).getConnectedAgentsByAgentIDs({})).rejects.toEqual(unauthenticated);
  await expect(createClient(ConfigurationProject, transport).listAgentConfigFiles({})).rejects.toEqual(unauthenticated);
  await expect(createClient(Notifications, transport).gitPushEvent({})).rejects.toEqual(unauthenticated);
  await expect(createClient(ServerInfo, transport).getServerInfo({})).rejects.toEqual(unauthenticated);
  expect(router.requests).toHaveLength(0);
});

test("connected agents are found by project and by id, one entry for each process", async () => {
  connected(7n, 1n);
  connected(7n, 2n);
  connected(8n, 3n);
  connected(9n, 4n, 4n);
  const byProject = await kasApi.connectedAgentsForProject({ projectId: 3n }, { headers });
  expect(byProject.agents.map(({ id, connectionId }) => [id, connectionId])).toEqual([
    [7n, 1n],
    [7n, 2n],
    [8n, 3n],
  ]);
  const byId = await kasApi.connectedAgentsById({ agentId: 8n }, { headers });
  expect(byId.agents).toMatchObject([{ id: 8n, version: "v1", commit: "c", podNamespace: "ns", podName: "pod-3" }]);
  expect((await kasApi.connectedAgentsById({ agentId: 99n }, { headers })).agents).toEqual([]);
});

test("the tracker's own API answers the same", async () => {
  connected(7n, 1n);
  connected(8n, 2n);
  const client = createClient(AgentTracker, transport);
  const ask = async (request: Parameters<typeof client.getConnectedAgents>[0]) =>
    (await client.getConnectedAgents(request, { headers })).agents.map(({ agentId }) => agentId);
  expect(await ask({ request: { case: "agentId", value: 7n } })).toEqual([7n]);
  expect(await ask({ request: { case: "projectId", value: 3n } })).toEqual([7n, 8n]);
  await expect(ask({})).rejects.toMatchObject({ code: Code.InvalidArgument });
  const several = await client.getConnectedAgentsByAgentIDs({ agentIds: [8n, 7n, 99n] }, { headers });
  expect(several.agents.map(({ agentId }) => agentId)).toEqual([8n, 7n]);
});

test("pods of all pages are listed through the agent, by name only", async () => {
  router.cluster = (next) => ({ status: 200, body: next === "" ? podList(["a", "b"], "page2") : podList(["c"]) });
  const { pods } = await kasApi.getPods({ agentId: 7n, connectionId: 5n }, { headers });
  expect(pods.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(["shop/a", "shop/b", "shop/c"]);
  expect(router.requests).toMatchObject([
    { agentId: 7n, connectionId: 5n, context: { waitMs: 20_000, caller: { kind: "main_application" }, class: "safe" } },
    { agentId: 7n, connectionId: 5n, context: { waitMs: 20_000, caller: { kind: "main_application" }, class: "safe" } },
  ]);
});

test("other kas ask for pods with the wait of this process, at any replica", async () => {
  router.cluster = () => ({ status: 200, body: podList([]) });
  const client = createClient(KasInternal, transport);
  const { pods } = await client.getPods({ agentId: 7n }, { headers: { ...headers, "kas-hop-routing-agent-id": "7" } });
  expect(pods).toEqual([]);
  expect(router.requests[0]).toMatchObject({ agentId: 7n, context: { waitMs: 5_000 } });
  expect(router.requests[0]).not.toHaveProperty("connectionId");
});

test("a token of another kas is good for its own agent alone", async () => {
  const client = createClient(KasInternal, transport);
  for (const ofToken of [{ "kas-hop-routing-agent-id": "8" }, {}])
    await expect(client.getPods({ agentId: 7n }, { headers: { ...headers, ...ofToken } })).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
  expect(router.requests).toHaveLength(0);
});

test("an agent that is away is unavailable, with the reason for machines", async () => {
  const error = await kasApi.getPods({ agentId: 7n }, { headers }).catch((thrown: ConnectError) => thrown);
  expect(error).toMatchObject({ code: Code.Unavailable, rawMessage: "the agent is not connected" });
  expect((error as ConnectError).metadata.get("binnacle-reason")).toBe("agent_not_connected");
});

test.each<[string, ReturnType<Cluster>, Code]>([
  ["refuses", { status: 403, body: "{}" }, Code.Unavailable],
  ["answers no JSON", { status: 200, body: "<html>" }, Code.Unavailable],
  ["answers no list", { status: 200, body: '{"items":[{}]}' }, Code.Unavailable],
  ["answers no message", { status: 200, body: "", raw: Buffer.from([255, 255]) }, Code.Unavailable],
  ["answers without end", { status: 200, body: Buffer.alloc(32 * 1024 * 1024 + 1) }, Code.ResourceExhausted],
])("a cluster that %s is a failure of the cluster", async (_, answer, code) => {
  router.cluster = () => answer;
  await expect(kasApi.getPods({ agentId: 7n }, { headers })).rejects.toMatchObject({ code });
});

test("a push reaches the listeners of that project", async () => {
  const heard: string[] = [];
  pushes.onPush("group/app", () => heard.push("app"));
  pushes.onPush("group/other", () => heard.push("other"));
  await createClient(Notifications, transport).gitPushEvent({ event: { project: { id: 3n, fullPath: "group/app" } } }, { headers });
  expect(heard).toEqual(["app"]);
});

test("the version is reported", async () => {
  const { currentServerInfo } = await createClient(ServerInfo, transport).getServerInfo({}, { headers });
  expect(currentServerInfo).toMatchObject({ version: "1.2.3", gitRef: "abc" });
});

test("configuration files of the default branch are listed, other files are not", async () => {
  const repository = new TestRepository();
  const gitaly = await startGitaly(repository.root);
  cleanUps.push(
    () => gitaly.close(),
    () => repository.remove(),
  );
  const files = ["demo/config.yaml", "a-1/config.yaml", "Bad_Name/config.yaml", "demo/sub/config.yaml", "demo/other.yaml"];
  repository.push(Object.fromEntries(files.map((file) => [`.gitlab/agents/${file}`, "{}"])));
  const client = createClient(ConfigurationProject, transport);
  const request = { repository: { relativePath: repository.relativePath }, gitalyInfo: { address: gitaly.address } };
  for (const defaultBranch of ["", "main"]) {
    const { configFiles } = await client.listAgentConfigFiles({ ...request, defaultBranch }, { headers });
    expect(configFiles.map(({ name, agentName }) => [name, agentName])).toEqual([
      [".gitlab/agents/a-1/config.yaml", "a-1"],
      [".gitlab/agents/demo/config.yaml", "demo"],
    ]);
  }
  await expect(client.listAgentConfigFiles({}, { headers })).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("I10: pods of a connection that is not one of a connected agent's are refused at once", async () => {
  tracker.register(create(ConnectedAgentInfoSchema, { agentId: 7n, connectionId: 3n }));
  const error = await kasApi.getPods({ agentId: 7n, connectionId: 4n }, { headers }).catch((thrown: ConnectError) => thrown);
  expect(error).toMatchObject({ code: Code.FailedPrecondition, rawMessage: expect.not.stringContaining("not connected") });
  expect((error as ConnectError).metadata.get("binnacle-reason")).toBe("replica_not_addressable");
  expect(router.requests).toHaveLength(0);
});

test("I10: a connected agent is listed with the address of its kas", async () => {
  tracker.register(create(ConnectedAgentInfoSchema, { agentId: 7n, connectionId: 3n, kasAddress: { ip: "10.0.0.1", port: 8155 } }));
  const { agents } = await kasApi.connectedAgentsById({ agentId: 7n }, { headers });
  expect(agents).toMatchObject([{ id: 7n, kasAddress: { ip: "10.0.0.1", port: 8155 } }]);
});
