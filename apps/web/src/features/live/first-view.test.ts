import {
  ConnectionState,
  HealthStatus,
  ProblemKind,
  SummarizeEnvironmentResponseSchema,
  WatchEnvironmentResponseSchema,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { EnvironmentStore } from "./environment-store.ts";
import { firstViewOf } from "@binnacle/presentation/view/first-view";
import { freshnessOf } from "@binnacle/presentation/view/freshness";

type Content = NonNullable<MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]>;

const NOW = 1_800_000_000_000;
const { HEALTHY, DEGRADED } = HealthStatus;
const WHOSE = {
  environment: { name: "production", agentId: 3n, namespace: "prod" },
  viewer: { username: "mara", clusterUsername: "gitlab:user:mara" },
};
const SENT = { sentAt: timestampFromMs(NOW), header: WHOSE, health: { status: HEALTHY }, asOf: timestampFromMs(NOW - 1_000) };

function sent(init: MessageInitShape<typeof SummarizeEnvironmentResponseSchema> = SENT): EnvironmentStore {
  return new EnvironmentStore((flush) => flush(), firstViewOf(create(SummarizeEnvironmentResponseSchema, init)));
}

function hear(store: EnvironmentStore, message: Content): EnvironmentStore {
  store.apply(create(WatchEnvironmentResponseSchema, { sentAt: timestampFromMs(NOW), message }), NOW);
  return store;
}

const header = (viewer: Partial<typeof WHOSE.viewer> = {}): Content => ({
  case: "header",
  value: { ...WHOSE, viewer: { ...WHOSE.viewer, ...viewer } },
});

const snapshot = (status: HealthStatus, complete: boolean): Content => ({
  case: "snapshot",
  value: { health: { status }, complete, connection: { state: ConnectionState.CONNECTED } },
});

test("a page begins with the health that it was sent with, as of then, and with nothing to show of resources", () => {
  const store = sent();
  expect(store.view()).toMatchObject({ health: { status: HEALTHY }, firstAsOfMs: NOW - 1_000, blank: true, complete: false, version: 0 });
  expect(freshnessOf(store.view(), NOW).kind).toBe("connecting");
});

test("half of a picture takes nothing of it away: no flash of another word, and no health of half of the kinds", () => {
  const store = hear(hear(sent(), header()), snapshot(DEGRADED, false));
  expect(store.view()).toMatchObject({ health: { status: HEALTHY }, firstAsOfMs: NOW - 1_000 });
  hear(store, { case: "delta", value: { health: { status: DEGRADED }, complete: true } });
  expect(store.view()).toMatchObject({ health: { status: DEGRADED }, firstAsOfMs: undefined });
});

test("the stream's whole picture takes its place", () => {
  expect(hear(hear(sent(), header()), snapshot(DEGRADED, true)).view()).toMatchObject({
    health: { status: DEGRADED },
    firstAsOfMs: undefined,
  });
});

test.each([
  ["another user has signed in", { username: "bob", clusterUsername: "gitlab:user:bob" }],
  ["the viewer has another identity in the cluster", { clusterUsername: "gitlab:user:other" }],
])("T23: it goes with the first word of the stream when %s", (_title, viewer) => {
  expect(hear(sent(), header(viewer)).view()).toMatchObject({ health: undefined, firstAsOfMs: undefined });
});

test("T23: it goes when the stream says that the environment may not be shown", () => {
  const problem = { kind: ProblemKind.AGENT_FORBIDDEN, message: "no" };
  expect(hear(sent(), { case: "problem", value: problem }).view().firstAsOfMs).toBeUndefined();
});

test("not knowing is a state: a page that was sent without a health has none", () => {
  const store = sent({ sentAt: timestampFromMs(NOW), header: WHOSE });
  expect(store.view()).toMatchObject({ health: undefined, firstAsOfMs: undefined, environment: { name: "production" } });
});

test("that the agent is away is on the page as it was sent; that it is there the stream says", () => {
  const away = sent({ ...SENT, connection: { state: ConnectionState.AGENT_OFFLINE, since: timestampFromMs(NOW - 60_000) } });
  expect(freshnessOf(away.view(), 0)).toEqual({ kind: "agent-offline", sinceMs: NOW - 60_000, asOfMs: NOW - 1_000 });
  expect(sent({ ...SENT, connection: { state: ConnectionState.CONNECTED } }).view().connection).toBeUndefined();
});

test("later parts of the same response are taken only before the first message of the stream", () => {
  const late = firstViewOf(create(SummarizeEnvironmentResponseSchema, SENT));
  const store = sent({ sentAt: timestampFromMs(NOW) });
  store.begin(late);
  expect(store.view().firstAsOfMs).toBe(NOW - 1_000);
  const heard = hear(sent({ sentAt: timestampFromMs(NOW) }), header());
  heard.begin(late);
  expect(heard.view().firstAsOfMs).toBeUndefined();
});
