import { ByteLedger } from "@binnacle/grpc-wire";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient, createRouterTransport, type Client } from "@connectrpc/connect";
import { NodeSummarySchema, ScopeSummarySchema, ViewGap, Views } from "@binnacle/proto/kas-views";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { FakeViewsAgent } from "../views/testing/views-agent.ts";
import { ViewsRouter } from "../views/testing/views-router.ts";
import { ViewHub } from "../views/view-hub.ts";
import { noViewsMetrics } from "../views/views-metrics.ts";
import { viewsService } from "./views-service.ts";

const MIB = 1024 * 1024;
const QUERY = { agentId: 1n };
const AS_ANN = { agentId: 1n, viewer: { identity: { username: "gitlab:user:ann" } } };

let clock: ManualClock;
let agent: FakeViewsAgent;
let router: ViewsRouter;
let client: Client<typeof Views>;

beforeEach(() => {
  clock = new ManualClock();
  agent = new FakeViewsAgent();
  router = new ViewsRouter(agent);
  const hub = new ViewHub({
    router,
    clock,
    ledger: new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB }),
    metrics: noViewsMetrics,
    waitMs: 20_000,
    onViolation: () => undefined,
  });
  const log = createLogger("test", "silent");
  client = createClient(Views, createRouterTransport(viewsService({ hub, clock, log, served: ["nodes"], waitMs: 20_000 })));
});

function tellNodes(count: number): void {
  agent.table("all").put("summary", toBinary(NodeSummarySchema, create(NodeSummarySchema, { count })));
  agent.table("all").announce();
}

test("a view that the operator does not list needs a viewer: the error says so, and the agent gets no request", async () => {
  const refused = { code: Code.PermissionDenied, rawMessage: expect.stringContaining("(api.views)") };
  await expect(client.getSummary({ query: QUERY })).rejects.toMatchObject(refused);
  await expect(client.watchSummary({ query: QUERY })[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
  expect(router.requests).toEqual([]);
});

test("a viewer gets such a view", async () => {
  agent.table("all").put("summary", toBinary(ScopeSummarySchema, create(ScopeSummarySchema, { workloads: 7 })));
  expect(await client.getSummary({ query: AS_ANN })).toMatchObject({ summary: { workloads: 7 } });
  expect(agent.topics).toMatchObject([{ carrier: "gitlab:user:ann" }]);
});

test("T40: unreadable content of an agent is not passed on, and the next update is", async () => {
  const summary = (init: MessageInitShape<typeof ScopeSummarySchema>): Uint8Array =>
    toBinary(ScopeSummarySchema, create(ScopeSummarySchema, init));
  const changedAt = create(TimestampSchema, { seconds: 2n ** 63n - 1n });
  const received: unknown[] = [];
  for (const value of [new Uint8Array([0xff]), summary({ workloads: 7, changedAt }), summary({ workloads: 8 })]) {
    agent.table("all").put("summary", value);
    agent.table("all").announce();
    await settle();
    const { summary: heard } = await client.getSummary({ query: AS_ANN });
    received.push([heard?.gap, heard?.workloads, heard?.changedAt]);
  }
  expect(received).toEqual([
    [ViewGap.LOADING, 0, undefined],
    [ViewGap.UNSPECIFIED, 7, undefined],
    [ViewGap.UNSPECIFIED, 8, undefined],
  ]);
});

test("a view that a viewer may not read is reported as forbidden", async () => {
  agent.rights.set("gitlab:user:ann", "none");
  agent.table("none").put("summary", toBinary(NodeSummarySchema, create(NodeSummarySchema, { gap: ViewGap.FORBIDDEN })));
  expect(await client.getNodes({ query: AS_ANN })).toMatchObject({ nodes: { gap: ViewGap.FORBIDDEN, count: 0 } });
});

test("what is not known in time is loading", async () => {
  agent.tells = false;
  const response = client.getNodes({ query: QUERY });
  await clock.elapse(19_999);
  const early = await Promise.race([response, settle().then(() => "waits")]);
  await clock.elapse(1);
  expect([early, await response]).toMatchObject(["waits", { nodes: { gap: ViewGap.LOADING } }]);
});

test("while the connection to the agent is broken a number has the time since when it is stale", async () => {
  tellNodes(3);
  const stop = new AbortController();
  const received: (readonly [number | undefined, boolean])[] = [];
  const watch = (async () => {
    for await (const { nodes } of client.watchNodes({ query: QUERY }, { signal: stop.signal }))
      received.push([nodes?.count, nodes?.staleSince !== undefined]);
  })().catch(() => undefined);
  await settle();
  router.agent = undefined;
  router.breakAll();
  await settle();
  expect(received.at(-1)).toEqual([3, true]);
  router.agent = agent;
  tellNodes(4);
  await clock.elapse(10_000);
  expect(received.at(-1)).toEqual([4, false]);
  stop.abort();
  await watch;
  await clock.elapse(30_000);
  expect(router.running.size).toBe(0);
});

test("an agent that is not there is waited for, as by any request", async () => {
  router.agent = undefined;
  const response = client.getNodes({ query: QUERY }).catch((error: unknown) => error);
  await clock.elapse(20_000);
  expect(await response).toMatchObject({ code: Code.Unavailable });
});
