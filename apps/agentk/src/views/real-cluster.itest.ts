// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { fromBinary } from "@bufbuild/protobuf";
import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { EnvironmentView, HttpKubeClient, RemoteState, VIEW_ENGINE, type ViewSource } from "@binnacle/environment-view";
import { ViewReader } from "@binnacle/environment-view/view-reader";
import type { PublishedTable } from "@binnacle/replica";
import { NodeSummarySchema, ScopeSummarySchema, ViewGap } from "@binnacle/proto/kas-views";
import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ClusterClient } from "../cluster-access/cluster-client.ts";
import { OwnRequests } from "../cluster-access/own-requests.ts";
import { createOwnTransport } from "../cluster-access/own-transport.ts";
import { kubeconfigAccess } from "../cluster-access/kubeconfig.ts";
import { createClusterApi, type ApiAnswer, type ClusterApi } from "../cluster-access/cluster-api.ts";
import type { ImpersonatedIdentity } from "../cluster-access/impersonation.ts";
import { AgentEvents } from "../agent-events/agent-events.ts";
import { CANARY, ClusterAdmin, configMap, deployment } from "./testing/cluster-admin.ts";
import { KasSide } from "./testing/kas-side.ts";
import { openViews, type Views } from "./views.ts";

const never = new AbortController().signal;
const log = createLogger("agentk", "error");
/** Everybody but the administrator; each with rights of its own in the namespace `app`. */
const USERS = ["anna", "ben", "cleo"] as const;

let directory: string;
let cluster: ControlPlane;
let admin: ClusterAdmin;
let api: ClusterApi;
let adminClient: ClusterClient;
let agentClient: ClusterClient;
let views: Views;
let kas: KasSide;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-views-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
  const access = kubeconfigAccess({ path: cluster.kubeconfig, context: undefined, env: {}, clock: systemClock });
  adminClient = new ClusterClient(access);
  api = createClusterApi(createOwnTransport(adminClient, { part: "test" }));
  admin = new ClusterAdmin(api);
  for (const namespace of ["app", "other"])
    await admin.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await admin.grantEverybody();
  agentClient = new ClusterClient(await admin.accessOfAgent(access));
  views = await openViews({ requests: requestsOf(systemClock), clock: systemClock, log, agentEvents: new AgentEvents(systemClock) });
  kas = newKas();
  for (const name of ["web", "db"]) await admin.create("/apis/apps/v1/namespaces/app/deployments", deployment(name));
  await admin.create("/api/v1/namespaces/app/configmaps", configMap("settings"));
  await admin.create("/api/v1/namespaces/app/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: `${CANARY}-secret` } });
  await admin.create("/api/v1/namespaces/other/configmaps", configMap(`${CANARY}-other`));
});

afterAll(async () => {
  for (const close of closing) await close();
  await views.close();
  await agentClient.close();
  await adminClient.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

function requestsOf(clock: Clock): OwnRequests {
  return new OwnRequests({ cluster: agentClient, clock, qps: 50, burst: 300 });
}

function newKas(): KasSide {
  return new KasSide((reply) => views.open(reply));
}

const asUser = (username: string) => ({ identity: { username, groups: ["system:authenticated"] } });
const environment = (namespaces: readonly string[]) => ({
  view: { case: "environment" as const, value: { scope: { namespaces: [...namespaces] }, engine: VIEW_ENGINE } },
});

/** What a browser would have of a view that comes from the agent. */
function screenOf(table: PublishedTable): ViewReader {
  const [remote, screen] = [new RemoteState(systemClock), new ViewReader()];
  remote.setWay(undefined);
  const subscription = remote.open(() => {
    const message = subscription.take();
    if (message) screen.take(message);
  });
  const reader = table.open(() => {
    const change = reader.take();
    if (change) remote.apply(change);
    table.announce();
  });
  const poll = setInterval(() => table.announce(), 20);
  closing.push(async () => clearInterval(poll));
  return screen;
}

/** What a browser would have of the view that is made at the other end of the Kubernetes proxy. */
function peerOf(username: string, namespaces: readonly string[]): ViewReader {
  const identity: ImpersonatedIdentity = { username, groups: ["system:authenticated"], uid: "", extra: new Map() };
  const view = new EnvironmentView({
    client: new HttpKubeClient(createOwnTransport(agentClient, { identity, part: "test" })),
    scope: { namespaces },
    clock: systemClock,
  });
  const stop = new AbortController();
  const running = view.run(stop.signal);
  closing.push(() => (stop.abort(), running));
  const screen = new ViewReader();
  const subscription = view.open(() => {
    const message = subscription.take();
    if (message) screen.take(message);
  });
  return screen;
}

/** Without what depends on the time of the subscription, and on how a source is read. */
function pictureOf(screen: ViewReader): { readonly nodes: unknown[]; readonly text: string } {
  const sorted = <T extends { readonly id: string }>(items: Iterable<T>): T[] => [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const nodes = sorted(screen.nodes.values()).map((node) => ({ ...node, revision: 0 }));
  const sources = sorted(screen.sources.values()).map(({ id, settled, shown }) => ({ id, settled, shown }));
  const text = JSON.stringify(
    { nodes, edges: sorted(screen.edges.values()), sources, health: screen.health, complete: screen.complete },
    sortKeys,
    1,
  );
  return { nodes, text };
}

/** Fields stand in the order in which they were set. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The first lines that only one of them has. */
function differing(mine: string, other: string): readonly string[] {
  const [a, b] = [mine.split("\n"), other.split("\n")];
  const index = a.findIndex((line, at) => line !== b[at]);
  return index < 0 ? [] : [a.slice(Math.max(0, index - 12), index + 6).join("\n"), b.slice(Math.max(0, index - 2), index + 6).join("\n")];
}

test("T37: three users with different rights see through the agent what they see through the Kubernetes proxy, object by object, while it is churned", async () => {
  const through = new Map<string, { readonly mine: ViewReader; readonly peer: ViewReader }>();
  const others = new Map<string, KasSide>();
  for (const user of USERS) {
    const side = newKas();
    others.set(user, side);
    const topic = await side.subscribe(environment(["app"]), asUser(user));
    through.set(user, { mine: screenOf(side.tables.get(topic) as PublishedTable), peer: peerOf(user, ["app"]) });
  }
  const agree = (): boolean =>
    [...through.values()].every(({ mine, peer }) => mine.complete && peer.complete && pictureOf(mine).text === pictureOf(peer).text);
  const differences = (): unknown =>
    [...through].map(([user, { mine, peer }]) => [
      user,
      mine.complete,
      peer.complete,
      ...differing(pictureOf(mine).text, pictureOf(peer).text),
    ]);
  await until(agree, differences);
  for (let round = 0; round < 6; round += 1) {
    await admin.create("/api/v1/namespaces/app/configmaps", configMap(`churn-${round}`));
    await admin.call("PATCH", "/apis/apps/v1/namespaces/app/deployments/web", deployment("web", `app:${round + 2}`));
    if (round % 2 === 1) await admin.call("DELETE", `/api/v1/namespaces/app/configmaps/churn-${round - 1}`);
    await admin.create("/api/v1/namespaces/app/secrets", { apiVersion: "v1", kind: "Secret", metadata: { name: `${CANARY}-${round}` } });
    const secret = `/Secret/app/${CANARY}-${round}`;
    const arrived = (): boolean => ["anna", "cleo"].every((user) => through.get(user)?.peer.nodes.has(secret) === true);
    const isNewest = (): boolean => JSON.stringify([...(through.get("ben")?.peer.nodes.values() ?? [])]).includes(`app:${round + 2}`);
    await until(() => arrived() && isNewest() && agree(), differences);
  }
  const shown = (user: string): string => pictureOf((through.get(user) as { mine: ViewReader }).mine).text;
  expect(shown("anna")).toContain(`"name": "${CANARY}-5"`);
  expect(shown("cleo")).toContain(`"name": "${CANARY}-5"`);
  // Of a Secret that a Deployment names everybody who reads the Deployment knows the name, and no more.
  for (const canary of [`${CANARY}-0`, `${CANARY}-5`, `${CANARY}-other`]) {
    expect(Buffer.concat((others.get("ben") as KasSide).received).includes(canary)).toBe(false);
  }
  expect(Buffer.concat((others.get("cleo") as KasSide).received).includes("app:7")).toBe(false);
  expect([...others.values()].flatMap(({ violations }) => violations)).toEqual([]);
  for (const side of others.values()) side.cancel();
}, 180_000);

test("T37: rights are a name: who may read the same shares it, and who may not has another", async () => {
  const [ben, cleo, agent] = await Promise.all([
    kas.prove(environment(["app"]), asUser("ben")),
    kas.prove(environment(["app"]), asUser("cleo")),
    kas.prove(environment(["app"])),
  ]);
  await admin.bind({ role: "reader", user: "bert", namespace: "app" });
  const bert = await kas.prove(environment(["app"]), asUser("bert"));
  expect(bert.rights).toBe(ben.rights);
  expect(new Set([ben.rights, cleo.rights, agent.rights]).size).toBe(3);
  const forged = 99_999n;
  kas.say({ case: "subscribe", value: { topic: forged, view: environment(["app"]), rights: cleo.rights, viewer: asUser("ben") } });
  await until(() => kas.ends.has(forged));
  expect(kas.ends.get(forged)?.reason).toBe("rights_changed");
});

test("nodes and health of a scope, as the agent itself", async () => {
  for (const name of ["n1", "n2"])
    await admin.create("/api/v1/nodes", {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      status: { capacity: { cpu: "4", memory: "8Gi", pods: "110" } },
    });
  const nodes = await kas.subscribe({ view: { case: "nodes", value: {} } });
  const known = () => {
    const value = kas.tables.get(nodes)?.get("summary");
    return value && fromBinary(NodeSummarySchema, value);
  };
  await until(() => known()?.count === 2);
  expect(known()).toMatchObject({ gap: ViewGap.UNSPECIFIED, ready: 0, capacity: { cpuMillis: 8_000n, pods: 220n } });
  await admin.call("DELETE", "/api/v1/nodes/n1");
  await until(() => known()?.count === 1);

  const summary = await kas.subscribe({ view: { case: "summary", value: { scope: { namespaces: ["app"] } } } });
  const health = () => {
    const value = kas.tables.get(summary)?.get("summary");
    return value && fromBinary(ScopeSummarySchema, value);
  };
  await until(() => (health()?.workloads ?? 0) > 0);
  expect(health()).toMatchObject({ gap: ViewGap.UNSPECIFIED, workloads: 2, workloadsReady: 0, deployers: { tools: [], more: 0 } });
});

test("a viewer who may read nothing receives that, and nothing else", async () => {
  const topic = await kas.subscribe({ view: { case: "summary", value: { scope: { namespaces: ["app"] } } } }, asUser("stranger"));
  const value = () => kas.tables.get(topic)?.get("summary");
  await until(() => value() !== undefined && fromBinary(ScopeSummarySchema, value() as Uint8Array).gap !== ViewGap.LOADING);
  expect(fromBinary(ScopeSummarySchema, value() as Uint8Array)).toMatchObject({ gap: ViewGap.FORBIDDEN, workloads: 0 });
});

test("fifty viewers of one environment cause as many watches as one, and nothing is listed while nothing changes", async () => {
  const first = await kas.subscribe(environment(["app"]), asUser("ben"));
  await until(() => isComplete(first));
  const before = await apiLoad();
  const topics: bigint[] = [];
  for (let index = 0; index < 50; index += 1) topics.push(await kas.subscribe(environment(["app"]), asUser("ben")));
  await until(() => topics.every((topic) => isComplete(topic)));
  const after = await apiLoad();
  expect(after.watches).toBe(before.watches);
  expect(after.lists - before.lists).toBe(0);
  expect(after.gets - before.gets).toBe(0);
});

function isComplete(topic: bigint, side = kas): boolean {
  const value = side.tables.get(topic)?.get("complete");
  return value !== undefined && Buffer.from(value).toString() === "true";
}

/** What the API server counts of objects that a view reads. */
async function apiLoad(): Promise<{ readonly watches: number; readonly lists: number; readonly gets: number }> {
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    adminClient.request(
      { method: "GET", target: "/metrics", headers: ["Accept", "text/plain"], contentLength: undefined, body: undefined },
      { header: () => {}, data: (chunk) => chunks.push(chunk), end: () => resolve(Buffer.concat(chunks).toString()), error: reject },
    );
  });
  const sum = (line: RegExp): number =>
    text
      .split("\n")
      .filter((each) => line.test(each) && VIEWED.some((resource) => each.includes(`resource="${resource}"`)))
      .reduce((total, each) => total + Number(each.slice(each.lastIndexOf(" "))), 0);
  return {
    watches: sum(/^apiserver_longrunning_requests\{.*verb="WATCH"/),
    lists: sum(/^apiserver_request_total\{.*verb="LIST"/),
    gets: sum(/^apiserver_request_total\{.*verb="GET"/),
  };
}

const VIEWED = ["pods", "deployments", "replicasets", "secrets", "events", "statefulsets", "ingresses"];

/** A minute is three seconds. */
const quickClock: Clock = { now: () => Date.now() * 20, after: (ms, action) => systemClock.after(ms / 20, action) };

test("T37: rights that are withdrawn end a topic, and nothing of what was lost is sent any more", async () => {
  await admin.bind({ role: "reader", user: "dora", namespace: "app" });
  const quick = await openViews({ requests: requestsOf(quickClock), clock: quickClock, log, agentEvents: new AgentEvents(quickClock) });
  const side = new KasSide((reply) => quick.open(reply));
  const topic = await side.subscribe(environment(["app"]), asUser("dora"));
  await until(() => isComplete(topic, side));
  await admin.call("DELETE", "/apis/rbac.authorization.k8s.io/v1/namespaces/app/rolebindings/reader-dora");
  await until(() => side.ends.has(topic));
  expect(side.ends.get(topic)?.reason).toBe("rights_changed");
  const before = side.received.length;
  await admin.create("/api/v1/namespaces/app/configmaps", configMap("after-that"));
  expect((await side.prove(environment(["app"]), asUser("dora"))).rights).not.toBe("");
  expect(Buffer.concat(side.received.slice(before)).includes("after-that")).toBe(false);
  await quick.close();
});

const WIDGETS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.reports.example";

/** A kind of which v2 is read and v1 is stored, so that each read converts. */
async function makeWidgets(): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await admin.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.reports.example" },
    spec: {
      group: "reports.example",
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      conversion: { strategy: "None" },
      versions: ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema })),
    },
  });
  const widget = { apiVersion: "reports.example/v1", kind: "Widget", metadata: { name: "one" } };
  const target = "/apis/reports.example/v1/namespaces/app/widgets";
  for (;;) {
    const { statusCode } = await api.call({ method: "POST", target, signal: never, body: widget });
    if (statusCode < 400) return;
  }
}

const convert = (conversion: unknown): Promise<ApiAnswer> => admin.call("PATCH", WIDGETS, { spec: { conversion } });
const WITHOUT_WEBHOOK = {
  strategy: "Webhook",
  webhook: {
    conversionReviewVersions: ["v1"],
    clientConfig: { service: { namespace: "app", name: "provider-webhook", port: 9443, path: "/convert" } },
  },
};

test("R1, R13: a kind whose conversion webhook is unavailable states why in its environment, all others stay live, and it recovers by itself", async () => {
  await makeWidgets();
  const agents = await Promise.all(
    Array.from({ length: 2 }, () =>
      openViews({ requests: requestsOf(quickClock), clock: quickClock, log, agentEvents: new AgentEvents(quickClock) }),
    ),
  );
  const [side, late] = agents.map((agent) => new KasSide((reply) => agent.open(reply))) as [KasSide, KasSide];
  await until(() => side.offer !== undefined && late.offer !== undefined);
  const open = async (namespace: string, at: KasSide): Promise<ViewReader> =>
    screenOf(at.tables.get(await at.subscribe(environment([namespace]), asUser("anna"))) as PublishedTable);
  const [app, other] = [await open("app", side), await open("other", side)];
  const widgetsOf = ({ sources }: ViewReader) => [...sources.values()].find(({ kind }) => kind === "Widget");
  const isLive = ({ settled, stale }: ViewSource): boolean => settled === "live" && (stale === undefined || stale.cause === "sampled");
  const restIsLive = ({ sources }: ViewReader): boolean =>
    sources.size > 20 && [...sources.values()].every((source) => source.kind === "Widget" || isLive(source));
  const isWhole = (screen: ViewReader): boolean => screen.complete && [...screen.sources.values()].every(isLive);
  const states = () => [app, other].map((screen) => [screen.complete, screen.health, widgetsOf(screen)]);
  const hasObject = (screen: ViewReader, name: string): boolean => [...screen.nodes.values()].some(({ ref }) => ref.name === name);
  await until(() => isWhole(app) && isWhole(other) && hasObject(app, "one"), states);

  await convert(WITHOUT_WEBHOOK);
  // An agent that starts now has never read the kind.
  const [freshApp, freshOther] = [await open("app", late), await open("other", late)];
  await admin
    .call("PATCH", "/apis/reports.example/v1/namespaces/app/widgets/one", { metadata: { labels: { changed: "yes" } } })
    .catch(() => {});
  const saysWhy = (screen: ViewReader): boolean => JSON.stringify(widgetsOf(screen) ?? "").includes("conversion webhook");
  await until(() => [app, freshApp].every((screen) => saysWhy(screen) && restIsLive(screen)), states);
  await until(() => isWhole(other) && isWhole(freshOther) && freshApp.health !== undefined, states);
  expect(freshApp.health).toMatchObject({ partial: true });
  for (const namespace of ["app", "other"]) await admin.create(`/api/v1/namespaces/${namespace}/configmaps`, configMap("while-broken"));
  await until(() => [app, other, freshApp, freshOther].every((screen) => hasObject(screen, "while-broken")), states);

  await convert({ strategy: "None", webhook: null });
  await until(() => [app, other, freshApp, freshOther].every(isWhole) && hasObject(app, "one") && hasObject(freshApp, "one"), states);
  expect([...side.ends, ...late.ends]).toEqual([]);
  expect([...side.violations, ...late.violations]).toEqual([]);
  for (const agent of agents) await agent.close();
}, 120_000);
