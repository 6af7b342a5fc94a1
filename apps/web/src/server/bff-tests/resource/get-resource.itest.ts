import type { Dashboard, GetResourceResponse } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { Code, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "../../bff.ts";
import { DashboardTab, dashboardClient, NAMES } from "../../testing/dashboard-tab.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { StandInKas } from "../../kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../../gitlab/testing/stand-in-main-application.ts";

const VALUE = "canary-5f2e";
const SECRET = { group: "", version: "v1", kind: "Secret", resource: "secrets", namespace: "prod", name: "till" };
let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let client: Client<typeof Dashboard>;

beforeEach(async () => {
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  main.sessions.set("session-maintainer", "maintainer");
  kas.allowed.add("maintainer");
  const config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  bff = createBff({ config, clock: systemClock, log: createLogger("web", "silent"), metrics: { refused: () => undefined } });
  client = dashboardClient(bff, { origin: ORIGIN, cookie: "_gitlab_session=session-maintainer" });
});

afterEach(async () => {
  await bff.close();
  await kas.close();
  await main.close();
});

function putSecret(kind: string): void {
  const copy = JSON.stringify({ kind: "Secret", data: { password: btoa(VALUE) } });
  const annotations = { "kapp.k14s.io/original": copy, "objectset.rio.cattle.io/applied": btoa(copy), note: `it is ${VALUE}` };
  const metadata = { name: "till", annotations };
  kas.put("secrets", { apiVersion: "v1", kind, metadata, data: { password: btoa(VALUE) } });
}

test.each(["Secret", "ConfigMap", "", "secret"])("XM1: a Secret that is requested as a %j shows none of its values", async (kind) => {
  putSecret("Secret");
  const { yaml, annotations } = await client.getResource({ ...NAMES, ref: { ...SECRET, kind } });
  for (const form of [VALUE, btoa(VALUE).slice(0, -1)]) expect(yaml + JSON.stringify(annotations)).not.toContain(form);
  expect(yaml).toContain('password: "*****"');
});

test("XM1: a Secret that calls itself something else, in a cluster that lies, shows none of its values", async () => {
  putSecret("ConfigMap");
  const { yaml, annotations } = await client.getResource({ ...NAMES, ref: SECRET });
  expect(yaml + JSON.stringify(annotations)).not.toContain(btoa(VALUE).slice(0, -1));
});

test("XM1: an object that is requested as another kind and calls itself a Secret shows none of its values", async () => {
  kas.put("configmaps", { apiVersion: "v1", kind: "Secret", metadata: { name: "till" }, data: { password: btoa(VALUE) } });
  const { yaml } = await client.getResource({ ...NAMES, ref: { ...SECRET, kind: "ConfigMap", resource: "configmaps" } });
  expect(yaml).not.toContain(btoa(VALUE).slice(0, -1));
});

test.each([
  { version: "v1/namespaces/production/secrets/x?" },
  { group: "apps/v1/namespaces/production" },
  { resource: "secrets/../../production/secrets" },
  { name: "..%2F..%2Fproduction%2Fsecrets%2Fx" },
  { name: ".." },
])("XM2, T25: a reference that is no name is rejected before any request: %j", async (part) => {
  await expect(client.getResource({ ...NAMES, ref: { ...SECRET, ...part } })).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(kas.requests).toEqual([]);
});

test("R3: an object has details under every name that Kubernetes accepts", async () => {
  const role = { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", resource: "roles", namespace: "prod" };
  for (const name of ["ops team #1?", "Prüfer;a=b", "back\\slash", "line\nbreak", "..dots.."]) {
    kas.put("roles", { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name }, rules: [] });
    expect((await client.getResource({ ...NAMES, ref: { ...role, name } })).yaml).toContain("kind: Role");
  }
});

test("XM1: the facts of a Secret name its keys and their sizes, whatever it calls itself", async () => {
  for (const kind of ["Secret", "ConfigMap", "Pod"]) {
    putSecret(kind);
    const { facts, sections } = await client.getResource({ ...NAMES, ref: SECRET });
    const shown = JSON.stringify([facts, sections], (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    expect(shown).toContain('"password"');
    for (const form of [VALUE, btoa(VALUE).slice(0, -1)]) expect(shown).not.toContain(form);
  }
});

test("US7: a Service is sent with the endpoints of its slices, and without them where those may not be read", async () => {
  const ref = { group: "", version: "v1", kind: "Service", resource: "services", namespace: "prod", name: "web" };
  kas.put("services", { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
  const labels = { "kubernetes.io/service-name": "web" };
  const endpoints = [{ addresses: ["10.0.0.1"] }];
  kas.put("endpointslices", { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "web-x", labels }, endpoints });
  const titles = async () => (await client.getResource({ ...NAMES, ref })).sections.map(({ title }) => title?.id);
  expect(await titles()).toEqual(["detail/ports", "detail/endpoints"]);
  kas.forbidden.add("maintainer prod");
  expect(await titles()).toEqual(["detail/ports"]);
});

const POD = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "till" };
const POD_ID = "uid-pods/till";

function putPod(note: string): void {
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  const metadata = { name: "till", annotations: { note } };
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata, spec: {}, status });
}

function putEvent(message: string): void {
  const involvedObject = { apiVersion: "v1", kind: "Pod", namespace: "prod", name: "till", uid: POD_ID };
  kas.put("events", { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject, type: "Warning", reason: "Slow", message });
}

test.each([
  ["W9: an Event about an open resource", putEvent, (answer: GetResourceResponse) => answer.events.map(({ message }) => message).join()],
  ["W8: a change of an open resource that no card shows", putPod, (answer: GetResourceResponse) => answer.annotations["note"]],
] as const)("%s reaches its tab as another revision of its node, and a request after that returns it", async (_what, put, shown) => {
  putPod("old");
  const leave = new AbortController();
  const tab = new DashboardTab(client, leave.signal);
  await tab.until((each) => each.isComplete() && each.named("till") !== undefined);
  for (const text of ["one", "two", "three"]) {
    const { revision, ...before } = tab.named("till") ?? {};
    put(text);
    await tab.until((each) => each.named("till")?.revision !== revision);
    expect(tab.named("till")).toMatchObject(before);
    expect(shown(await client.getResource({ ...NAMES, ref: POD }))).toBe(text);
  }
  leave.abort();
  await tab.ended;
});

function putDeployment(replicas: number, word: string): void {
  const fields = { "f:spec": { "f:replicas": {} } };
  const managedFields = [{ manager: "kubectl-edit", operation: "Update", time: "2026-01-01T12:00:00Z", fieldsV1: fields }];
  const container = { name: "c", image: "app:1", env: [{ name: "WORD", value: word }] };
  const spec = { replicas, template: { spec: { containers: [container] } } };
  const metadata = { name: "web", managedFields };
  kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec });
}

const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "prod", name: "web" };

test("W9: a change of an open resource is sent live, with user and time, without the value of a variable", async () => {
  putDeployment(1, "one");
  const leave = new AbortController();
  const tab = new DashboardTab(client, leave.signal);
  await tab.until((each) => each.isComplete() && each.named("web") !== undefined);
  const { revision } = tab.named("web") ?? {};
  const before = await client.getResource({ ...NAMES, ref: DEPLOYMENT });
  expect(before).toMatchObject({ changes: [], changesCut: false });
  expect(before.changesSince).toBeDefined();
  putDeployment(3, VALUE);
  await tab.until((each) => each.named("web")?.revision !== revision);
  const { changes } = await client.getResource({ ...NAMES, ref: DEPLOYMENT });
  expect(changes).toMatchObject([
    {
      ref: DEPLOYMENT,
      manager: "kubectl-edit",
      atIsArrival: false,
      fields: [
        { path: "spec.replicas", before: "1", after: "3", hidden: false },
        { path: "spec.template.spec.containers[c].env[WORD].value", hidden: true },
      ],
    },
  ]);
  expect(JSON.stringify(changes.map(({ fields }) => fields))).not.toContain(VALUE);
  leave.abort();
  await tab.ended;
});

test("without a view of its environment a resource has no journal, and none is claimed", async () => {
  putDeployment(1, "one");
  expect((await client.getResource({ ...NAMES, ref: DEPLOYMENT })).changesSince).toBeUndefined();
});

test("T25: a request for a resource by the kind of another returns no changes of that one", async () => {
  putDeployment(1, "one");
  putPod("old");
  const leave = new AbortController();
  const tab = new DashboardTab(client, leave.signal);
  await tab.until((each) => each.isComplete() && each.named("web") !== undefined);
  const { revision } = tab.named("web") ?? {};
  putDeployment(2, "one");
  await tab.until((each) => each.named("web")?.revision !== revision);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: {} });
  const { changes } = await client.getResource({ ...NAMES, ref: { ...DEPLOYMENT, group: "", resource: "pods" } });
  expect(changes.filter(({ ref }) => ref?.kind === "Deployment")).toEqual([]);
  leave.abort();
  await tab.ended;
});

const NODE = { group: "", version: "v1", kind: "Node", resource: "nodes", namespace: "", name: "bench-1" };

test("S2: a Node of the cluster is read as the viewer below any environment, with its conditions, taints and capacity", async () => {
  const conditions = [{ type: "Ready", status: "Unknown", reason: "NodeStatusUnknown", lastTransitionTime: "2026-01-01T11:42:00Z" }];
  const spec = { unschedulable: true, taints: [{ key: "away", effect: "NoExecute", timeAdded: "2026-01-01T11:43:00Z" }] };
  const status = { conditions, capacity: { cpu: "4" }, allocatable: { cpu: "3800m" } };
  kas.put("nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "bench-1", namespace: "" }, spec, status });
  const { conditions: shown, facts, sections } = await client.getResource({ ...NAMES, ref: NODE });
  expect(shown).toMatchObject([
    { type: "Ready", status: "Unknown", since: { seconds: BigInt(Date.parse("2026-01-01T11:42:00Z") / 1_000) } },
  ]);
  const [taint] = facts.find(({ label }) => label?.id === "detail/taints")?.items ?? [];
  expect(taint?.at?.seconds).toBe(BigInt(Date.parse("2026-01-01T11:43:00Z") / 1_000));
  expect(sections.map(({ title }) => title?.id)).toEqual(["detail/room"]);
  expect(kas.requests).toContain("maintainer GET /api/v1/nodes/bench-1");
});

test("S2: who may not read a Node is refused by the cluster, and nothing else of no namespace is let through", async () => {
  kas.put("nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "bench-1", namespace: "" } });
  kas.closed.add("");
  await expect(client.getResource({ ...NAMES, ref: NODE })).rejects.toMatchObject({ code: Code.PermissionDenied });
  for (const other of [{ resource: "persistentvolumes", kind: "PersistentVolume" }, { group: "x.io" }, { namespace: "kube-system" }])
    await expect(client.getResource({ ...NAMES, ref: { ...NODE, ...other } })).rejects.toMatchObject({ code: Code.NotFound });
});
