import type { ViewDelta, ViewSnapshot, ViewSource } from "@binnacle/environment-view";
import { ConnectionState, EnvironmentHealthSchema, SettledState, StaleCause } from "@binnacle/proto/dashboard";
import { quoted, words } from "@binnacle/words";
import { toWordsMessage } from "@binnacle/proto/words";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { EnvironmentMessages } from "./environment-messages.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";

const NO_CONTENT = { bytes: new Uint8Array() };
const WORDING = { product: "Binnacle", troubleshootingUrl: "https://main.example.com/help" };

function messages(): EnvironmentMessages {
  const environment = environmentOf();
  const viewer = { username: "mara", name: "Mara" };
  return new EnvironmentMessages({ environment, viewer, identity: undefined, wording: WORDING }, () => 5, "view");
}

function environmentOf(): EnvironmentRecord {
  return {
    number: "7",
    projectPath: "group/app",
    name: "production",
    slug: "production",
    tier: "production",
    state: "available",
    externalUrl: "",
    namespace: "prod",
    agent: { id: 3n, name: "demo", projectPath: "group/app", connectedAt: undefined, lastSeenAt: "2026-01-01T00:00:00Z" },
  };
}

function source(change: Partial<ViewSource>): ViewSource {
  const kind = { group: "", version: "v1", resource: "pods", kind: "Pod", namespace: "prod" };
  return { id: "/pods/prod", ...kind, shown: 0, total: 0, countsForHealth: true, ...change };
}

function snapshotOf(change: Partial<ViewSnapshot>): ViewSnapshot {
  const health = create(EnvironmentHealthSchema);
  const connection = { state: "connected", sinceMs: 1 } as const;
  return {
    kind: "snapshot",
    version: 1,
    nodes: [],
    edges: [],
    content: NO_CONTENT,
    health,
    sources: [],
    connection,
    complete: true,
    isEmpty: false,
    ...change,
  };
}

const NOTHING: ViewDelta = {
  kind: "delta",
  version: 2,
  content: NO_CONTENT,
  upsertedNodes: [],
  removedNodes: [],
  upsertedEdges: [],
  removedEdges: [],
  upsertedSources: [],
  removedSources: [],
  isEmpty: false,
};

test.each([
  ["agent_offline", ConnectionState.AGENT_OFFLINE],
  ["kas_unreachable", ConnectionState.KAS_UNREACHABLE],
  ["api_down", ConnectionState.API_DOWN],
  ["connecting", ConnectionState.CONNECTING],
] as const)("W4, US6: waiting while it is %s is a connection and nothing else", (state, sent) => {
  const { message } = messages().waiting({ state, sinceMs: 7, words: words("request/kas-silent") });
  expect(message).toMatchObject({
    case: "connection",
    value: { state: sent, since: timestampFromMs(7), words: { id: "request/kas-silent" } },
  });
});

test.each([
  ["was there an hour ago", "2026-01-01T00:00:00Z", ConnectionState.AGENT_OFFLINE],
  ["was never there", undefined, ConnectionState.AGENT_NEVER_CONNECTED],
])("US5: an agent that is away and %s is called so", (_what, lastSeenAt, sent) => {
  const environment = environmentOf();
  const agent = environment.agent && { ...environment.agent, connectedAt: undefined, lastSeenAt };
  const scope = {
    environment: { ...environment, agent },
    viewer: { username: "mara", name: "Mara" },
    identity: undefined,
    wording: WORDING,
  };
  const { message } = new EnvironmentMessages(scope, () => 5).waiting({ state: "agent_offline", sinceMs: 7 });
  expect(message).toMatchObject({ case: "connection", value: { state: sent } });
});

test("W5: a source is sent with its settled state, and with the time and reason since it is stale", () => {
  const stale = { sinceMs: 9, cause: "way", words: words("way/agent-silent") } as const;
  const sources = [source({ settled: "forbidden", words: quoted("you may not list pods"), stale }), source({ id: "b" })];
  const { message } = messages().of(snapshotOf({ sources }), undefined);
  expect(message.case === "snapshot" && message.value.sources).toMatchObject([
    {
      settled: SettledState.FORBIDDEN,
      words: toWordsMessage(quoted("you may not list pods")),
      staleSince: timestampFromMs(9),
      staleCause: StaleCause.WAY,
    },
    { settled: SettledState.UNSPECIFIED, staleCause: StaleCause.UNSPECIFIED },
  ]);
});

test("US6: an empty environment is reported once, when it is known", () => {
  const all = messages();
  const first = all.of(snapshotOf({ isEmpty: false }), undefined).message;
  expect(first.case === "snapshot" && first.value.empty).toBeUndefined();
  const sent = [1, 2].map(() => all.of({ ...NOTHING, isEmpty: true }, undefined).message);
  expect(sent.map((message) => message.case === "delta" && message.value.empty?.words?.id)).toEqual(["problem/no-resources", undefined]);
});

test("W15: every snapshot and delta says how far the browser has come with it", () => {
  const all = messages();
  expect(all.of(snapshotOf({ version: 7 }), undefined).position).toMatchObject({ view: "view", version: 7n });
  expect(all.of({ ...NOTHING, version: 9 }, undefined).position).toMatchObject({ view: "view", version: 9n });
  expect(all.heartbeat().position).toBeUndefined();
});
