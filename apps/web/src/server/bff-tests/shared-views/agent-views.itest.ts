import type { ServerResponse } from "node:http";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { createStatus } from "@binnacle/kube";
import { ChangeKind, ConnectionState, EnvironmentHealthSchema, HealthStatus, NodeSchema, Presence } from "@binnacle/proto/dashboard";
import { HealthRulesSchema, ScopeChangesSchema, ViewUpdateSchema, type ViewSpec } from "@binnacle/proto/kas-views";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema } from "../../config/config.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const UTF8 = new TextEncoder();
const stay = new AbortController().signal;

/** kas with an agent that has views: requests and answers. */
class KeptViews {
  readonly requests: ViewSpec[] = [];
  readonly streams = new Set<ServerResponse>();
  rights = "maintainer's";
  /** Names of pods, in the order of their numbers. */
  pods: readonly string[] = ["web"];
  view = "view-1";

  answer(spec: ViewSpec, response: ServerResponse): void {
    this.requests.push(spec);
    response.writeHead(200, { "content-type": "application/vnd.binnacle.views+proto" });
    if (spec.view.case === "changes") {
      const ref = { version: "v1", resource: "pods", kind: "Pod", namespace: "prod", name: "web" };
      const value = toBinary(
        ScopeChangesSchema,
        create(ScopeChangesSchema, { changes: [{ ref, kind: ChangeKind.CREATED }], since: { seconds: 1n } }),
      );
      return say(response, { reset: true, entries: [{ key: "changes", value }] });
    }
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
    this.tell(response);
  }

  /** A full snapshot, as a new subscriber receives it. */
  tell(response: ServerResponse): void {
    say(response, { reset: true, rights: this.rights, entries: this.entries() });
  }

  entries(): { key: string; value: Uint8Array }[] {
    const nodes = this.pods.map((name, index) => {
      const ref = { version: "v1", resource: "pods", kind: "Pod", namespace: "prod", name };
      return { key: `n/${index + 1}`, value: toBinary(NodeSchema, create(NodeSchema, { id: index + 1, ref, presence: Presence.PRESENT })) };
    });
    const source = {
      id: "/pods/prod",
      group: "",
      version: "v1",
      resource: "pods",
      kind: "Pod",
      namespace: "prod",
      settled: "live",
      shown: 1,
      total: 0,
      countsForHealth: true,
    };
    return [
      { key: "view", value: UTF8.encode(this.view) },
      ...nodes,
      { key: "s//pods/prod", value: UTF8.encode(JSON.stringify(source)) },
      { key: "health", value: toBinary(EnvironmentHealthSchema, create(EnvironmentHealthSchema, { status: HealthStatus.HEALTHY })) },
      { key: "connection", value: UTF8.encode(JSON.stringify({ state: "connected", sinceMs: 1 })) },
      { key: "complete", value: UTF8.encode("true") },
    ];
  }
}

function say(response: ServerResponse, update: MessageInitShape<typeof ViewUpdateSchema>): void {
  const bytes = toBinary(ViewUpdateSchema, create(ViewUpdateSchema, update));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  response.write(Buffer.concat([length, bytes]));
}

let world: DashboardWorld;
let views: KeptViews;
beforeEach(async () => {
  world = await DashboardWorld.open();
  views = new KeptViews();
  world.kas.views = (spec, response) => views.answer(spec, response);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "made-here" } });
});
afterEach(() => world.close());

const prefer = () => ({ views: { ...world.config.views, of_agents: "prefer" as const } });
const names = (tab: { readonly nodes: ReadonlyMap<unknown, { readonly ref?: { readonly name: string } | undefined }> }) =>
  [...tab.nodes.values()].map(({ ref }) => ref?.name ?? "").toSorted((a, b) => (a < b ? -1 : 1));

test("an environment that its agent keeps is shown as the agent tells it, to all tabs of a person by one stream, and nothing of it is read", async () => {
  const tab = world.tab(prefer());
  await until(() => tab.isComplete());
  expect(names(tab)).toEqual(["web"]);
  const other = world.anotherTab(stay);
  await until(() => other.isComplete());
  expect(names(other)).toEqual(["web"]);
  expect([views.streams.size, world.kas.watches.size]).toEqual([1, 0]);
  expect(world.kas.requests.filter((line) => /\/(?:pods|secrets|deployments)$/.test(line))).toEqual([]);
  expect(views.requests[0]?.view).toMatchObject({ case: "environment", value: { scope: { namespaces: ["prod"] } } });

  const [stream] = views.streams as unknown as [ServerResponse];
  views.pods = ["web", "db"];
  const [, , added] = views.entries();
  say(stream, { entries: added ? [added] : [], more: true });
  say(stream, { removed: ["n/1"] });
  await until(() => names(tab).join() === "db" && names(other).join() === "db");
});

test.each([
  [501, "unknown_method"],
  [501, "not_implemented"],
  [429, "share_exceeded"],
  [429, "queue_full"],
  [429, "over_budget"],
  [404, undefined],
  [405, undefined],
])("an agent that answers %i (%s) gets no second request: the environment is read, and the page does not notice", async (code, reason) => {
  world.kas.views = (spec, response) => {
    views.requests.push(spec);
    if (reason !== undefined) response.setHeader("kas-refusal", reason);
    if (code === 429) response.setHeader("retry-after", "30");
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(createStatus(code, "no")));
  };
  const tab = world.tab(prefer());
  await until(() => tab.isComplete() && tab.nodes.size === 1);
  expect(names(tab)).toEqual(["made-here"]);
  expect(tab.problem).toBeUndefined();
  const other = world.anotherTab(stay);
  await until(() => other.isComplete());
  expect(views.requests).toHaveLength(1);
});

test.each([
  { code: 501, requests: 1 },
  { code: 404, requests: 1 },
  { code: 400, requests: 2 },
])("two people with identities of their own: an agent that answers $code receives $requests requests", async ({ code, requests }) => {
  await world.close();
  world = await DashboardWorld.open(["maintainer", "ann"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "made-here" } });
  world.kas.views = (spec, response) => {
    views.requests.push(spec);
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(createStatus(code, "no")));
  };
  const tab = world.tab(prefer());
  await until(() => tab.isComplete() && tab.nodes.size === 1);
  const other = world.anotherTab(stay, "_gitlab_session=session-ann");
  await until(() => other.isComplete() && other.nodes.size === 1);
  expect((await world.now()).views).toBe(2);
  expect(views.requests).toHaveLength(requests);
});

test.each(["over_budget", "queue_full", "share_exceeded"])(
  "an agent that begins to refuse (%s) while a page is open: the page goes on with what is read",
  async (reason) => {
    const tab = world.tab(prefer());
    await until(() => tab.isComplete());
    for (const stream of views.streams) say(stream, { end: { reason, message: "too much" } });
    await until(() => names(tab).join() === "made-here");
    expect(tab.problem).toBeUndefined();
  },
);

test("a stream that breaks is opened again: meanwhile the page says so and keeps its picture, and what is the same is no news", async () => {
  const tab = world.tab(prefer());
  await until(() => tab.isComplete());
  const number = [...tab.nodes.values()][0]?.id;
  const snapshots = (): number => tab.messages.filter(({ message }) => message.case === "snapshot").length;
  const before = snapshots();
  views.view = "view-2";
  views.pods = ["db", "web"];
  for (const stream of views.streams) stream.destroy();
  await until(() => names(tab).join() === "db,web");
  expect([...tab.nodes.values()].find(({ ref }) => ref?.name === "web")?.id).toBe(number);
  expect(snapshots()).toBe(before);
  const states = tab.messages.flatMap(({ message }) =>
    message.case === "delta" && message.value.connection ? [message.value.connection.state] : [],
  );
  expect(states).toContain(ConnectionState.RECONNECTING);
  await until(() =>
    tab.messages.some(({ message }) => message.case === "delta" && message.value.connection?.state === ConnectionState.CONNECTED),
  );
});

test("T37: rights that are others take away at once what they do not allow", async () => {
  const tab = world.tab(prefer());
  await until(() => tab.isComplete());
  for (const stream of views.streams) say(stream, { reset: true, rights: "fewer" });
  await until(() => tab.nodes.size === 0);
  expect(tab.problem).toBeUndefined();
});

/** Names of health rules in a request, and the scripts that came with them. */
const rulesIn = ({ view, healthRules }: ViewSpec) => [
  view.case === "environment" ? view.value.healthRules : undefined,
  healthRules.flatMap((bytes) => fromBinary(HealthRulesSchema, bytes).origins.flatMap(({ rules }) => rules.map(({ text }) => text))),
];

test("health rules of users are run by the agent: other rules cause a new request, and the page keeps its snapshot meanwhile", async () => {
  const health_rules = webConfigSchema.shape.health_rules.parse({ poll_period: "1s", argocd_namespace: "argocd" });
  const tab = world.tab({ ...prefer(), health_rules });
  await until(() => tab.isComplete());
  expect(views.requests.map(rulesIn)).toEqual([["", []]]);
  const snapshots = (): number => tab.messages.filter(({ message }) => message.case === "snapshot").length;
  const before = snapshots();
  views.pods = ["web", "db"];
  world.kas.put("configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "argocd-cm", namespace: "argocd" },
    data: { "resource.customizations.health.Pod": "return nil" },
  });
  await until(() => names(tab).join() === "db,web");
  expect(views.requests).toHaveLength(2);
  expect(rulesIn(views.requests[1] as ViewSpec)).toEqual([expect.stringMatching(/^.{43}=$/), ["return nil"]]);
  expect([snapshots(), tab.nodes.size, world.kas.watches.size]).toEqual([before, 2, 0]);
  const states = tab.messages.flatMap(({ message }) =>
    message.case === "delta" && message.value.connection ? [message.value.connection.state] : [],
  );
  expect(states).not.toContain(ConnectionState.RECONNECTING);
});

test("changes are requested from the agent that recorded them", async () => {
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  const tab = world.tab(prefer());
  await until(() => tab.isComplete());
  const ref = { version: "v1", resource: "pods", kind: "Pod", namespace: "prod", name: "web" };
  const answer = await world.clientWith().getResource({ projectPath: "group/app", environment: "production", ref });
  expect(answer.changes.map(({ kind }) => kind)).toEqual([ChangeKind.CREATED]);
  expect(views.requests.at(-1)?.view).toMatchObject({ case: "changes", value: { of: { kind: "Pod", namespace: "prod", name: "web" } } });
});

test("T37: a kas that sends nonsense, frames without end or a change without end is not believed", async () => {
  const bad: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1])),
    (response) => response.write(Buffer.from([0, 0, 0, 2, 0xff, 0xff])),
    (response) => response.end(),
  ];
  let turn = 0;
  world.kas.views = (spec, response) => {
    const say = bad[turn];
    turn += 1;
    if (say === undefined) return views.answer(spec, response);
    response.writeHead(200, { "content-type": "application/vnd.binnacle.views+proto" });
    say(response);
  };
  const tab = world.tab(prefer());
  await until(() => tab.isComplete() && tab.nodes.size === 1);
  expect(tab.problem).toBeUndefined();
});
