import { GitopsOutcome, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "../../testing/api-stand-in.ts";
import { FakeKas, type FakeReport } from "../../testing/fake-kas.ts";
import { plainAccess } from "../../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../../whole-agent/running-agent.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;
/** What a PATCH of the cluster is answered with, by name; everything else is taken. */
let refusals: Map<string, string>;
/** Answers to PATCH wait for it. */
let held: Promise<void>;

const resource = (name: string, kind: string): object => ({ name, kind, namespaced: true, verbs: ["get", "patch"] });

beforeEach(async () => {
  kas = await FakeKas.listen();
  kas.takesReports = { code: 0, message: "" };
  api = await ApiStandIn.listen();
  refusals = new Map();
  held = Promise.resolve();
  api.answer = (request, response) => {
    const [method, path] = [request.method ?? "", request.url ?? ""];
    const [statusCode, body] = answerTo(method, path);
    void (method === "PATCH" ? held : Promise.resolve()).then(() => response.writeHead(statusCode).end(JSON.stringify(body)));
  };
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  const configuration = await kas.configuration();
  configuration.send({ commitId: "c", configuration: { agentId: 5n, gitops: { manifestProjects: [{ id: "group/app" }] } } });
});

afterEach(async () => {
  await agent.stop();
  await kas.close();
  await api.close();
});

function answerTo(method: string, path: string): readonly [statusCode: number, body: unknown] {
  if (path.endsWith("/selfsubjectaccessreviews")) return [201, { status: { allowed: true } }];
  if (path === "/api/v1")
    return [200, { kind: "APIResourceList", resources: [resource("configmaps", "ConfigMap"), resource("secrets", "Secret")] }];
  if (path.startsWith("/api/v1/namespaces/default/configmaps?")) return [200, { items: [] }];
  if (method === "POST") return [201, { metadata: { resourceVersion: "1" } }];
  if (method !== "PATCH") return [404, {}];
  const refusal = [...refusals].find(([name]) => path.includes(`/${name}?`))?.[1];
  return refusal === undefined
    ? [200, { metadata: { resourceVersion: "2" } }]
    : [422, { kind: "Status", reason: "Invalid", message: refusal, details: { causes: [{ field: "data.key", message: refusal }] } }];
}

async function send(commitId: string, text: string): Promise<void> {
  const stream = await kas.objects();
  stream.send({ case: "header", value: { commitId, projectId: 7n } });
  stream.send({ case: "object", value: { source: "deploy/all.yaml", data: Buffer.from(text) } });
  stream.send({ case: "trailer", value: {} });
  stream.end();
}

/** The first report of a commit with that state. */
async function reported(state: GitopsSyncState, commitId: string): Promise<FakeReport> {
  const find = (): FakeReport | undefined => kas.reports.find(({ sync }) => sync.state === state && sync.commitId === commitId);
  await until(() => find() !== undefined);
  const report = find();
  if (report === undefined) throw new Error("there is none");
  return report;
}

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;

test("a sync is reported while it runs and when it has ended, with what the API server rejected, file and line", async () => {
  refusals.set("bad", "data: Invalid value");
  let release = (): void => {};
  held = new Promise((resolve) => (release = resolve));
  await send("c1", `${map("good")}${map("bad")}`);
  const begun = await reported(GitopsSyncState.APPLYING, "c1");
  await until(() => kas.reports.at(-1)?.sync.objects === 2);
  release();
  const ended = await reported(GitopsSyncState.FAILED, "c1");
  expect(begun.sync.finishedAt).toBeUndefined();
  expect(ended.sync).toMatchObject({
    project: "group/app",
    reason: "1 of 2 objects failed",
    objects: 2,
    failed: 1,
    namespaces: ["default"],
    inventoryId: "5-7",
    globs: ["**/*.{yaml,yml,json}"],
  });
  expect(ended.sync.finishedAt).toBeDefined();
  expect(ended.objects.map(({ name, outcome, source, line }) => [name, outcome, source, line])).toEqual([
    ["bad", GitopsOutcome.FAILED, "deploy/all.yaml", 5],
    ["good", GitopsOutcome.APPLIED, "deploy/all.yaml", 1],
  ]);
});

test("each of two thousand objects is reported, in pieces", async () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `settings-of-a-team-with-a-long-name-${at}`);
  await send("c1", names.map(map).join(""));
  const { sync, objects, bytes } = await reported(GitopsSyncState.SYNCED, "c1");
  expect([sync.objects, sync.failed]).toEqual([2_000, 0]);
  expect(new Set(objects.map(({ name }) => name))).toEqual(new Set(names));
  expect(bytes.byteLength).toBeGreaterThan(64 * 1024);
});

test("a commit that cannot be read is reported with file and line, and the next one without an error", async () => {
  await send("c1", "kind: [ConfigMap\n");
  const { sync, objects } = await reported(GitopsSyncState.INVALID, "c1");
  expect(sync.reason).toMatch(/^deploy\/all\.yaml:\d+: /);
  expect([sync.namespaces, objects]).toEqual([["default"], []]);
  await send("c2", map("good"));
  expect((await reported(GitopsSyncState.SYNCED, "c2")).sync.reason).toBe("");
});

test("a rejection of the manifests by kas is reported", async () => {
  (await kas.objects()).end({ code: 5, message: "no such project" });
  await until(() => kas.reports.length > 0);
  expect(kas.reports[0]?.sync).toMatchObject({ state: GitopsSyncState.FAILED, reason: "kas gives no manifests: no such project" });
});

test("a kas that takes no reports disturbs no sync, and hears the newest state when it takes them", async () => {
  kas.takesReports = { code: 14, message: "Redis is away" };
  await send("c1", map("good"));
  await until(() => agent.lines.includes("info: sync ended"));
  await until(() => agent.lines.includes("warn: kas takes no report of a sync"));
  kas.takesReports = { code: 0, message: "" };
  await until(() => agent.lines.includes("info: kas takes reports of syncs again"));
  expect(kas.reports.at(-1)?.sync).toMatchObject({ commitId: "c1", state: GitopsSyncState.SYNCED });
});

test("values of a Secret are in no report, whatever the API server says of it", async () => {
  const canary = "c4n4ry-value";
  refusals.set("token", `data.key: Invalid value: "${canary}"`);
  await send("c1", `apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {key: ${canary}}\n---\n${map("good")}`);
  await reported(GitopsSyncState.FAILED, "c1");
  await send("c2", `apiVersion: v1\nkind: Secret\nmetadata: {name: token}\nstringData: {key: "${canary}}\n`);
  await reported(GitopsSyncState.INVALID, "c2");
  expect(kas.reports.map(({ bytes }) => bytes.includes(canary))).not.toContain(true);
});
