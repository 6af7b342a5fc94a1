import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { VIEW_ENGINE } from "@binnacle/environment-view";
import { startKubeSandbox, type KubeSandbox } from "@binnacle/kube-sandbox";
import { HealthStatus, NodeSchema, type Node } from "@binnacle/proto/dashboard";
import { HealthRulesSchema, type HealthScriptSchema, type ScopeRulesSchema, type ViewSpecSchema } from "@binnacle/proto/kas-views";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createClusterApi } from "../../cluster-access/cluster-api.ts";
import { ClusterClient } from "../../cluster-access/cluster-client.ts";
import { kubeconfigAccess } from "../../cluster-access/kubeconfig.ts";
import { OwnRequests } from "../../cluster-access/own-requests.ts";
import { createOwnTransport } from "../../cluster-access/own-transport.ts";
import { AgentEvents } from "../../agent-events/agent-events.ts";
import { KasSide } from "../testing/kas-side.ts";
import { openViews, type Views } from "../views.ts";

type Script = MessageInitShape<typeof HealthScriptSchema>;
type Spec = MessageInitShape<typeof ViewSpecSchema>;

/** Reads what views do not keep of a ConfigMap. */
const BY_DATA = `return { status = obj.data.state, message = "it says " .. obj.data.state }`;
const FOREVER = "while true do end";

let directory: string;
let cluster: KubeSandbox;
let client: ClusterClient;
let views: Views;
let kas: KasSide;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-rules-"));
  cluster = await startKubeSandbox({ dir: directory });
  client = new ClusterClient(kubeconfigAccess({ path: cluster.kubeconfig, context: undefined, env: {}, clock: systemClock }));
  const admin = createClusterApi(createOwnTransport(client, { part: "test" }));
  const made = async (target: string, body: unknown): Promise<void> => {
    const answer = await admin.call({ method: "POST", target, signal: new AbortController().signal, body });
    expect(answer.statusCode).toBe(201);
  };
  await made("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "app" } });
  for (const [name, state] of [
    ["one", "Degraded"],
    ["two", "Healthy"],
  ])
    await made("/api/v1/namespaces/app/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { state } });
  await made("/api/v1/namespaces/app/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { ports: [{ port: 80 }] },
  });
  const requests = new OwnRequests({ cluster: client, clock: systemClock, qps: 500, burst: 500 });
  const agentEvents = new AgentEvents(systemClock);
  views = await openViews({ requests, clock: systemClock, log: createLogger("agentk", "error"), agentEvents });
});
afterAll(async () => {
  await views.close();
  await client.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  kas = new KasSide((reply) => views.open(reply));
  return () => kas.cancel();
});

/** Sends rules. @returns their name */
function sent(...rules: readonly Script[]): string {
  const bytes = toBinary(HealthRulesSchema, create(HealthRulesSchema, { origins: [{ id: "file", origin: "file", rules: [...rules] }] }));
  kas.say({ case: "healthRules", value: bytes });
  return hash("sha256", bytes, "base64");
}

const lua = (text: string): Script => ({ engine: "lua", source: "rules.yaml", pattern: "/ConfigMap", text });
const environment = (healthRules: string, rules?: MessageInitShape<typeof ScopeRulesSchema>): Spec => ({
  view: { case: "environment", value: { engine: VIEW_ENGINE, scope: { namespaces: ["app"], ...(rules && { rules }) }, healthRules } },
});

/** The nodes of a topic as they are now. */
function nodesOf(topic: bigint): readonly Node[] {
  const nodes = new Map<string, Node>();
  for (const { entries, removed } of kas.updates.filter((update) => update.topic === topic)) {
    for (const key of removed) nodes.delete(key);
    for (const { key, value } of entries) if (key.startsWith("n/")) nodes.set(key, fromBinary(NodeSchema, value));
  }
  return [...nodes.values()];
}
const configMap = (topic: bigint, name: string): Node | undefined =>
  nodesOf(topic).find(({ ref }) => ref?.kind === "ConfigMap" && ref.name === name);
const status = (topic: bigint, name: string): HealthStatus | undefined => configMap(topic, name)?.health?.status;

test("health rules of users judge in the agent, by what views do not keep without them, and the rule that decided is named", async () => {
  const topic = await kas.subscribe(environment(sent(lua(BY_DATA))));
  await until(() => status(topic, "one") === HealthStatus.DEGRADED && status(topic, "two") === HealthStatus.HEALTHY);
  expect(configMap(topic, "one")?.health?.rule).toBe("rules.yaml");
});

test("a viewer with other rules has another view of the same cluster; so has one with none", async () => {
  const worse = await kas.subscribe(environment(sent(lua('return { status = "Suspended" }'))));
  const none = await kas.subscribe(environment(""));
  const byData = await kas.subscribe(environment(sent(lua(BY_DATA))));
  await until(() => status(worse, "two") === HealthStatus.SUSPENDED && status(byData, "two") === HealthStatus.HEALTHY);
  await until(() => configMap(none, "two") !== undefined);
  expect(configMap(none, "two")?.health).toBeUndefined();
});

test("a team's rules come before those of the cluster", async () => {
  const [ofCluster, ofTeam] = [sent(lua('return { status = "Healthy" }')), sent(lua('return { status = "Progressing" }'))];
  const topic = await kas.subscribe(environment(ofCluster, { id: "team", healthRules: ofTeam }));
  await until(() => status(topic, "one") !== undefined);
  expect(status(topic, "one")).toBe(HealthStatus.PROGRESSING);
});

test("T39: rules with the name of another team's rules do not get into that team's view", async () => {
  const liar = await kas.subscribe(environment("", { id: "of the team", hidden: ["ConfigMap"] }));
  await until(() => nodesOf(liar).length > 0);
  const topic = await kas.subscribe(environment("", { id: "of the team" }));
  await until(() => configMap(topic, "one") !== undefined);
  expect(configMap(liar, "one")).toBeUndefined();
});

test("T39: a rule that never ends is reported, and delays neither a view nor the rules of others", async () => {
  const endless = await kas.subscribe(environment(sent(lua(FOREVER))));
  const others = await kas.subscribe(environment(sent(lua(BY_DATA))));
  await until(() => status(others, "one") === HealthStatus.DEGRADED);
  await until(() => status(endless, "one") === HealthStatus.UNKNOWN);
  expect(configMap(endless, "one")?.health?.reason).toMatch(/^Lua(?:TooManyInstructions|Timeout|Disabled)$/);
});

test("a rule that could not be read in its source is reported", async () => {
  const topic = await kas.subscribe(environment(sent({ ...lua("return {}"), problem: "it is longer than 256 KiB" })));
  await until(() => status(topic, "one") !== undefined);
  expect(configMap(topic, "one")?.health?.reason).toBe("LuaInvalid");
});

test.each<[string, (name: string) => Spec, string]>([
  ["rules that were not sent", () => environment("no such name"), "invalid_request"],
  ["rules that were taken back", (name) => (kas.say({ case: "healthRulesDone", value: name }), environment(name)), "invalid_request"],
])("T39: %s end the view that names them, and no other", async (_, spec, reason) => {
  const name = sent(lua(BY_DATA));
  const topic = 1_000n;
  const { rights } = await kas.prove(environment(""));
  kas.say({ case: "subscribe", value: { topic, view: spec(name), rights } });
  await until(() => kas.ends.has(topic));
  expect(kas.ends.get(topic)?.reason).toBe(reason);
  const good = await kas.subscribe(environment(""));
  await until(() => configMap(good, "one") !== undefined);
});

test.each<[string, Uint8Array, string]>([
  ["bytes that are no rules", new Uint8Array([255, 255]), "invalid_request"],
  [
    "a language that is not known",
    toBinary(HealthRulesSchema, create(HealthRulesSchema, { origins: [{ origin: "file", rules: [{ ...lua(""), engine: "js" }] }] })),
    "not_implemented",
  ],
  [
    "an origin that is not known",
    toBinary(HealthRulesSchema, create(HealthRulesSchema, { origins: [{ origin: "hearsay" }] })),
    "invalid_request",
  ],
])("T39: %s are refused when a view names them", async (_, bytes, reason) => {
  kas.say({ case: "healthRules", value: bytes });
  const topic = 2_000n;
  const { rights } = await kas.prove(environment(""));
  kas.say({ case: "subscribe", value: { topic, view: environment(hash("sha256", bytes, "base64")), rights } });
  await until(() => kas.ends.has(topic));
  expect(kas.ends.get(topic)?.reason).toBe(reason);
});
