import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";

import { Code, ConnectError, type Client } from "@connectrpc/connect";
import {
  AgentAccessState,
  AgentFileState,
  AgentStatusSource,
  type Agents,
  type WatchAgentResponse,
} from "@binnacle/proto/dashboard-agents";
import { systemClock } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { agentsClient } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const DEMO = { projectPath: "group/app", name: "demo" };
const SECRET = randomBytes(32);

let world: DashboardWorld;
let log: string[];
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  log = [];
  const secretFile = { file: "reader", content: new Secret(SECRET.toString("base64")), digest: "" };
  const kas = { ...world.config.kas, agent_address: "wss://kas.example.com/-/kubernetes-agent/", manifest_reader_secret_file: secretFile };
  world.start(systemClock, { kas }, recordingLogger());
});
afterEach(() => world.close());

function recordingLogger(): Logger {
  const record = (...written: unknown[]): void => void log.push(inspect(written, { depth: 10 }));
  const methods = { trace: record, debug: record, info: record, warn: record, error: record, fatal: record };
  // Whatever is logged comes by one of these methods.
  return { ...methods, child: () => methods } as unknown as Logger;
}

function as(user: string, headers: Record<string, string> = { origin: ORIGIN }): Client<typeof Agents> {
  return agentsClient(world.bff, { ...headers, cookie: `_gitlab_session=session-${user}` });
}

function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );
}

function sendStatus(response: ServerResponse, status: object, etag: string): void {
  response.writeHead(200, { "content-type": "application/json", etag }).end(JSON.stringify(status));
}

/** Messages of a watch until one of them is as wanted. */
async function watchUntil(client: Client<typeof Agents>, isWanted: (message: WatchAgentResponse) => boolean): Promise<WatchAgentResponse> {
  const over = new AbortController();
  try {
    for await (const message of client.watchAgent(DEMO, { signal: AbortSignal.any([over.signal, world.signal]) }))
      if (isWanted(message)) return message;
    throw new Error("the watch has ended");
  } finally {
    over.abort();
  }
}

describe("reading", () => {
  test("the list has agents with their tokens, connections and environments, and whether the viewer may change them", async () => {
    expect(await as("maintainer").listAgents({ projectPath: "group/app" })).toMatchObject({
      agents: [{ name: "demo", id: 3n, connections: 1, tokens: 1, environments: ["production"] }],
      mayAdminister: true,
      kasAddress: "wss://kas.example.com/-/kubernetes-agent/",
    });
    expect(await as("developer").listAgents({ projectPath: "group/app" })).toMatchObject({ mayAdminister: false });
    expect(await codeOf(as("maintainer").listAgents({ projectPath: "group/other" }))).toBe(Code.NotFound);
  });

  test("an agent has the rules of its configuration file, and never the secret of a token", async () => {
    const agent = await as("maintainer").getAgent(DEMO);
    expect(agent).toMatchObject({
      tokens: [{ name: "first", createdBy: "maintainer" }],
      file: { path: ".gitlab/agents/demo/config.yaml" },
    });
    expect(JSON.stringify(agent.tokens, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "secret",
    );
  });

  test("T73: an agent that the main application does not show is not found, by whatever call", async () => {
    world.main.agents.blind.add("outsider");
    const outsider = as("outsider");
    expect((await outsider.listAgents({ projectPath: "group/app" })).agents).toEqual([]);
    expect(await codeOf(outsider.getAgent(DEMO))).toBe(Code.NotFound);
    expect(await codeOf(outsider.getAgentAccess(DEMO))).toBe(Code.NotFound);
    expect(await codeOf(outsider.testAgentAccess({ ...DEMO, verb: "get", resource: "pods" }))).toBe(Code.NotFound);
    expect(await codeOf(watchUntil(outsider, () => true))).toBe(Code.NotFound);
    expect(await codeOf(agentsClient(world.bff, { origin: ORIGIN }).getAgent(DEMO))).toBe(Code.Unauthenticated);
  });

  test("a configuration file that the viewer may not read is named as such", async () => {
    world.main.withoutCode.add("developer");
    expect((await as("developer").getAgent(DEMO)).file?.state).toBe(AgentFileState.FORBIDDEN);
  });
});

describe("connections", () => {
  test("come from kas, with the assertion that the main application has shown the agent to this viewer", async () => {
    const assertions: string[] = [];
    world.kas.agentStatus = ({ assertion }, response) => {
      assertions.push(String(assertion));
      sendStatus(
        response,
        {
          replicas: [{ connectionId: "7", podName: "agentk-0\u202e", version: "v0.1.0", kas: "kas-a:8155", abilities: ["views"] }],
          history: [{ connectionId: "7", podName: "agentk-0" }],
          historySince: "2026-01-01T00:00:00Z",
          configurationProblem: { reason: ".gitlab/agents/demo/config.yaml:3:1: bad indentation", lastGoodCommit: "abcdef1" },
          kasVersion: "v0.1.0",
        },
        '"1"',
      );
    };
    expect(await watchUntil(as("maintainer"), () => true)).toMatchObject({
      source: AgentStatusSource.KAS,
      replicas: [{ connectionId: 7n, podName: "agentk-0", kas: "kas-a:8155", abilities: ["views"] }],
      history: [{ connectionId: 7n }],
      configurationLine: 3,
      lastGoodCommit: "abcdef1",
      kasVersion: "v0.1.0",
    });
    const { payload } = await jwtVerify(assertions[0] ?? "", SECRET, { audience: "binnacle-kas/agents", issuer: "binnacle-web" });
    expect(payload).toMatchObject({ agent_id: "3", sub: "maintainer" });
  });

  test("the first connection is sent when kas reports it to the waiting request", async () => {
    const status = (replicas: object[]) => ({ replicas, historySince: "2026-01-01T00:00:00Z" });
    world.kas.agentStatus = ({ etag }, response) =>
      etag === undefined ? sendStatus(response, status([]), '"none"') : sendStatus(response, status([{ connectionId: "9" }]), '"one"');
    expect(await watchUntil(as("maintainer"), ({ replicas }) => replicas.length > 0)).toMatchObject({ replicas: [{ connectionId: 9n }] });
  });

  test("an older kas, or one that does not tell this viewer, leaves what the main application knows", async () => {
    const [demo] = world.main.agents.all;
    if (demo) demo.connectedAt = [];
    const watching = watchUntil(as("outsider"), ({ replicas }) => replicas.length > 0);
    if (demo) demo.connectedAt = ["2026-02-02T00:00:00Z"];
    expect(await watching).toMatchObject({ source: AgentStatusSource.MAIN_APPLICATION, history: [], kasVersion: "" });
  });

  test("what kas answers against the contract is a problem beside the last status, and no end", async () => {
    world.kas.agentStatus = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end('{"replicas": 7}');
    expect((await watchUntil(as("maintainer"), ({ problem }) => problem !== undefined)).replicas).toEqual([]);
  });

  test("the watch ends when the agent is deleted", async () => {
    world.kas.agentStatus = ({ etag }, response) => {
      if (etag !== undefined) world.main.agents.all = [];
      sendStatus(response, { replicas: [] }, `"${Math.random()}"`);
    };
    expect(await codeOf(watchUntil(as("maintainer"), () => false))).toBe(Code.NotFound);
  });
});

describe("access of the viewer", () => {
  beforeEach(() => {
    world.kas.watchLimit = 12;
    world.kas.cluster = (request, response) => {
      const answer = (status: number, body: object): void =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (request.url?.endsWith("selfsubjectreviews"))
        return answer(201, { status: { userInfo: { username: "gitlab:user:maintainer", groups: ["gitlab:user"] } } });
      if (request.url?.startsWith("/api/v1/namespaces"))
        return answer(200, { items: [{ metadata: { name: "prod" } }, { metadata: { name: "a" } }] });
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { spec } = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { resourceAttributes: Record<string, string> } };
        const allowed = spec.resourceAttributes["resource"] === "deployments" && spec.resourceAttributes["group"] === "apps";
        const reason = 'RBAC: allowed by RoleBinding "team/prod" of ClusterRole "edit" to Group "gitlab:user"';
        answer(201, { status: allowed ? { allowed, reason } : { allowed: false, reason: "" } });
      });
      return undefined;
    };
  });

  test("names who the viewer is in the cluster, the watch budget and the namespaces", async () => {
    expect(await as("maintainer").getAgentAccess(DEMO)).toMatchObject({
      state: AgentAccessState.ALLOWED,
      username: "gitlab:user:maintainer",
      groups: ["gitlab:user"],
      watchBudget: 12,
      namespaces: ["a", "prod"],
    });
  });

  test("a viewer whom user_access does not cover is denied, and tests nothing", async () => {
    const outsider = as("outsider");
    expect(await outsider.getAgentAccess(DEMO)).toMatchObject({ state: AgentAccessState.DENIED });
    expect(await codeOf(outsider.testAgentAccess({ ...DEMO, verb: "get", resource: "pods" }))).toBe(Code.PermissionDenied);
  });

  test("a test names the binding where the authorizer does, and no binding where it does not", async () => {
    const ask = (resource: string) => as("maintainer").testAgentAccess({ ...DEMO, verb: "patch", resource, namespace: "prod" });
    expect(await ask("deployments.apps")).toMatchObject({
      allowed: true,
      bindingKind: "RoleBinding",
      bindingName: "team/prod",
      roleName: "edit",
    });
    expect(await ask("pods/log")).toMatchObject({ allowed: false, reason: "", bindingKind: "", bindingName: "" });
  });

  test.each([
    { verb: "get", resource: "Pods" },
    { verb: "get it", resource: "pods" },
    { verb: "get", resource: "pods", namespace: "../x" },
    { verb: "get", resource: "pods?x=1" },
  ])("%j is rejected before any request to the cluster", async (right) => {
    const before = world.kas.requests.length;
    expect(await codeOf(as("maintainer").testAgentAccess({ ...DEMO, ...right }))).toBe(Code.InvalidArgument);
    expect(world.kas.requests.length).toBe(before);
  });
});

describe("changes", () => {
  test("an agent is registered with a token whose secret is answered once", async () => {
    const made = await as("maintainer").registerAgent({ projectPath: "group/app", name: "blue" });
    expect(made).toMatchObject({ agent: { name: "blue", id: 4n }, secret: "glagent-secret-1" });
    expect(await as("maintainer").getAgent({ ...DEMO, name: "blue" })).toMatchObject({ tokens: [{ name: "first" }] });
    expect(world.audit).toMatchObject([
      {
        principal: { username: "maintainer" },
        agentId: 4n,
        action: { verb: "create", resource: "agents", name: "blue" },
        outcome: "applied",
      },
      { action: { verb: "create", resource: "agenttokens" }, outcome: "applied" },
    ]);
  });

  test("when only the token fails the agent stays, and another token can be created", async () => {
    world.main.agents.tokenError = "An agent can have only two active tokens at a time";
    const made = await as("maintainer").registerAgent({ projectPath: "group/app", name: "blue" });
    expect(made).toMatchObject({ agent: { name: "blue" }, secret: "", tokenProblem: { id: "agents/refused" } });
    world.main.agents.tokenError = undefined;
    expect(await as("maintainer").createAgentToken({ ...DEMO, name: "blue", tokenName: "again" })).toMatchObject({
      secret: "glagent-secret-1",
    });
  });

  test("a token of the agent is revoked, one of another agent is not", async () => {
    const [token] = (await as("maintainer").getAgent(DEMO)).tokens;
    await as("maintainer").registerAgent({ projectPath: "group/app", name: "blue" });
    expect(await codeOf(as("maintainer").revokeAgentToken({ ...DEMO, name: "blue", tokenId: token?.id ?? "" }))).toBe(Code.NotFound);
    await as("maintainer").revokeAgentToken({ ...DEMO, tokenId: token?.id ?? "" });
    expect((await as("maintainer").getAgent(DEMO)).tokens).toEqual([]);
  });

  test("an agent is deleted", async () => {
    await as("maintainer").deleteAgent(DEMO);
    expect((await as("maintainer").listAgents({ projectPath: "group/app" })).agents).toEqual([]);
    expect(world.audit).toMatchObject([{ agentId: 3n, action: { verb: "delete", resource: "agents", name: "demo" }, outcome: "applied" }]);
  });

  test("T75: who may not change agents changes none, with a sentence and a record", async () => {
    const calls = (client: Client<typeof Agents>) => [
      () => client.registerAgent({ projectPath: "group/app", name: "blue" }),
      () => client.createAgentToken({ ...DEMO, tokenName: "x" }),
      () => client.revokeAgentToken({ ...DEMO, tokenId: "gid://gitlab/Clusters::AgentToken/30" }),
      () => client.deleteAgent(DEMO),
    ];
    for (const call of calls(as("developer"))) expect(await codeOf(call())).toBe(Code.PermissionDenied);
    expect(world.main.agents.all).toMatchObject([{ name: "demo", tokens: [{}] }]);
    expect(world.audit.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => "environment_forbidden"));
  });

  test("T75: no page of another origin changes anything, nor does a call without an origin beside a cookie", async () => {
    for (const headers of [{}, { origin: "https://evil.example.com" }] as Record<string, string>[]) {
      const client = as("maintainer", headers);
      expect(await codeOf(client.registerAgent({ projectPath: "group/app", name: "blue" }))).toBe(Code.PermissionDenied);
      expect(await codeOf(client.deleteAgent(DEMO))).toBe(Code.PermissionDenied);
    }
    expect(world.main.agents.changes).toEqual([]);
  });

  test.each(["Blue", "-blue", "blue/../x", "", "a".repeat(64)])("T75: the name %j is rejected before any request", async (name) => {
    expect(await codeOf(as("maintainer").registerAgent({ projectPath: "group/app", name }))).toBe(Code.InvalidArgument);
    expect(world.main.agents.changes).toEqual([]);
  });

  test("T75: a secret is in no log, no audit and no later answer", async () => {
    const { secret } = await as("maintainer").registerAgent({ projectPath: "group/app", name: "blue" });
    const later = [
      await as("maintainer").getAgent({ ...DEMO, name: "blue" }),
      await as("maintainer").listAgents({ projectPath: "group/app" }),
      world.audit,
      log,
      world.main.requests,
    ];
    const text = JSON.stringify(later, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    expect(secret).not.toBe("");
    expect(text).not.toContain(secret);
  });
});
