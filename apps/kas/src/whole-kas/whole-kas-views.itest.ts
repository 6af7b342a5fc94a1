import { create, toBinary } from "@bufbuild/protobuf";
import { Code, createClient, type Client } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { NodeSummarySchema, ScopeSummarySchema, ViewGap, Views, ViewSpecSchema } from "@binnacle/proto/kas-views";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { VIEWS_CALL } from "../agent-call/routed-methods.ts";
import { agentOf } from "../kas-routing/testing/kas-of.ts";
import { ENVIRONMENT } from "../views/testing/view-reader.ts";
import { ViewFrames } from "../testing/response-frames.ts";
import { answersViews, FakeViewsAgent } from "../views/testing/views-agent.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

/** A name that is not sent to anonymous viewers. */
const CANARY = "canary";

let kas: WholeKas;
let agent: FakeViewsAgent;

beforeEach(async () => {
  kas = await startWholeKas();
  agent = new FakeViewsAgent();
});
afterEach(() => kas.stop());

async function connect(): Promise<void> {
  await agentOf(`grpc://${kas.bound.agent}`, {
    methods: [VIEWS_CALL],
    metadata: { "agentk-caps": "impersonation" },
    tunnels: 4,
    onCall: answersViews(agent),
  });
}

/** What the agent tells of both views. */
function tell(bytes: Uint8Array, rights = "all"): void {
  agent.table(rights).put("summary", bytes);
  agent.table(rights).announce();
}

async function api(): Promise<{ readonly client: Client<typeof Views>; readonly headers: { readonly authorization: string } }> {
  return {
    client: createClient(Views, createGrpcTransport({ baseUrl: `http://${kas.bound.api ?? ""}` })),
    headers: { authorization: await kas.jwt() },
  };
}

/** A stream of the Kubernetes proxy. */
async function look(): Promise<{ readonly answer: Response; readonly frames: ViewFrames }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`http://${kas.bound.k8sProxy ?? ""}/binnacle/v1/views`, {
    method: "POST",
    headers: { authorization: "Bearer pat:1:good" },
    body: Buffer.from(toBinary(ViewSpecSchema, ENVIRONMENT)),
    signal: stop.signal,
  });
  const frames = new ViewFrames();
  void read(answer, frames);
  return { answer, frames };
}

async function read(answer: Response, frames: ViewFrames): Promise<void> {
  try {
    for await (const chunk of answer.body ?? []) frames.push(chunk);
  } catch {
    // The test is over.
  }
}

const nodes = (count: number) => toBinary(NodeSummarySchema, create(NodeSummarySchema, { count, ready: count }));

test("a kas as it is started serves a view to a user, and counts what it does", async () => {
  await connect();
  agent.put("all", { a: "1" });
  const { answer, frames } = await look();
  await until(() => frames.shown["a"] === "1");
  expect([answer.status, answer.headers.get("kas-agent-views")]).toEqual([200, "engine-1"]);
  expect(agent.topics).toMatchObject([{ carrier: "gitlab:user:ann" }]);
  const metrics = await kas.metrics.registry.metrics();
  for (const line of ["kas_view_calls_open 1", "kas_view_topics 1", "kas_view_subscribers 1", 'kas_view_proofs_total{outcome="changed"} 1'])
    expect(metrics).toContain(line);
  expect(metrics).toMatch(/^kas_view_held_bytes [1-9]/m);
});

test("the main application asks for the number of nodes, and hears when it is another", async () => {
  await connect();
  tell(nodes(3));
  const { client, headers } = await api();
  expect(await client.getNodes({ query: { agentId: 1n } }, { headers })).toMatchObject({ nodes: { gap: 0, count: 3, ready: 3 } });
  const counts: number[] = [];
  for await (const { nodes: summary } of client.watchNodes({ query: { agentId: 1n } }, { headers })) {
    if (summary?.gap === ViewGap.UNSPECIFIED) counts.push(summary.count);
    if (counts.at(-1) === 3) tell(nodes(4));
    if (counts.at(-1) === 4) break;
  }
  expect([...new Set(counts)]).toEqual([3, 4]);
  expect(agent.topics).toMatchObject([{ carrier: "" }]);
});

test("an anonymous viewer receives counts, a user everything", async () => {
  await connect();
  const health = create(EnvironmentHealthSchema, {
    status: HealthStatus.DEGRADED,
    partial: true,
    reason: CANARY,
    hidden: [CANARY],
    issues: [{ reason: CANARY }],
    counts: [{ status: HealthStatus.DEGRADED, count: 2 }],
    issuesTotal: 7,
    words: { id: CANARY },
    covers: { id: CANARY },
  });
  const deployers = { tools: [{ tool: "argocd", name: CANARY, objects: 1 }] };
  tell(toBinary(ScopeSummarySchema, create(ScopeSummarySchema, { health, deployers, images: [{ image: CANARY }], workloads: 5 })));
  const { client, headers } = await api();
  const scope = { namespaces: ["production"] };
  const { summary } = await client.getSummary({ query: { agentId: 1n }, scope }, { headers });
  expect(summary).toMatchObject({
    workloads: 5,
    health: { status: HealthStatus.DEGRADED, partial: true, issuesTotal: 7, counts: [{ count: 2 }] },
  });
  expect(JSON.stringify(summary, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(CANARY);
  const viewer = { identity: { username: "gitlab:user:ann" } };
  const asAnn = await client.getSummary({ query: { agentId: 1n, viewer }, scope }, { headers });
  expect(asAnn.summary).toMatchObject({ health: { reason: CANARY, hidden: [CANARY] }, deployers: { tools: [{ name: CANARY }] } });
  expect(asAnn.summary?.images).toMatchObject([{ image: CANARY }]);
});

test("a pending value is reported as loading, within the caller's deadline", async () => {
  agent.tells = false;
  await connect();
  const { client, headers } = await api();
  expect(await client.getNodes({ query: { agentId: 1n } }, { headers, timeoutMs: 2_000 })).toMatchObject({
    nodes: { gap: ViewGap.LOADING },
  });
});

test.each<readonly [string, object, Code]>([
  ["no agent", {}, Code.InvalidArgument],
  ["a viewer without an identity", { query: { agentId: 1n, viewer: {} } }, Code.InvalidArgument],
  ["a viewer without a name", { query: { agentId: 1n, viewer: { identity: { groups: ["system:masters"] } } } }, Code.InvalidArgument],
  ["a user of the cluster's own", { query: { agentId: 1n, viewer: { identity: { username: "system:admin" } } } }, Code.InvalidArgument],
  [
    "a group of the cluster's own",
    { query: { agentId: 1n, viewer: { identity: { username: "ann", groups: ["system:masters"] } } } },
    Code.InvalidArgument,
  ],
])("%s is refused", async (_, request, code) => {
  const { client, headers } = await api();
  await expect(client.getNodes(request, { headers })).rejects.toMatchObject({ code });
  await expect(client.watchNodes(request, { headers })[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code });
});

test("a caller without the main application's token receives nothing", async () => {
  const { client } = await api();
  await expect(client.getNodes({ query: { agentId: 1n } })).rejects.toMatchObject({ code: Code.Unauthenticated });
});

test("an agent without views is reported as such", async () => {
  await agentOf(`grpc://${kas.bound.agent}`, { metadata: { "agentk-caps": "impersonation" } });
  const { client, headers } = await api();
  await expect(client.getNodes({ query: { agentId: 1n } }, { headers })).rejects.toMatchObject({ code: Code.Unimplemented });
  expect((await look()).answer.status).toBe(501);
});

test("a kas that shuts down notifies its viewers", async () => {
  await connect();
  tell(nodes(3));
  const { answer, frames } = await look();
  await until(() => frames.shown["summary"] !== undefined);
  const { client, headers } = await api();
  const watch = client.watchNodes({ query: { agentId: 1n } }, { headers })[Symbol.asyncIterator]();
  await watch.next();
  const ended = (async () => {
    for (;;) if ((await watch.next()).done === true) return;
  })().catch((error: unknown) => error);
  await kas.leave();
  await until(() => frames.updates.at(-1)?.end !== undefined);
  expect([answer.status, frames.updates.at(-1)?.end]).toMatchObject([
    200,
    { reason: "shutting_down", message: expect.stringContaining("goes away") },
  ]);
  expect(await ended).toMatchObject({ code: Code.Unavailable, rawMessage: expect.stringContaining("goes away") });
});
