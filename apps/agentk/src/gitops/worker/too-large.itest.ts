import { text } from "node:stream/consumers";

import { fieldsOf, isFields, parseJson, textAt, type Fields } from "@binnacle/kube";
import { GitopsSyncState, type GitopsSync } from "@binnacle/proto/kas-gitops";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "../../testing/api-stand-in.ts";
import { FakeKas } from "../../testing/fake-kas.ts";
import { plainAccess } from "../../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../../whole-agent/running-agent.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;
/** Leases by path. */
let leases: Map<string, Fields>;
/** What the ConfigMap of the inventory is answered with; undefined: it is taken. */
let refusal: number | undefined;
/** Requests that change ConfigMaps. */
let writes: string[];

beforeEach(async () => {
  kas = await FakeKas.listen();
  kas.takesReports = { code: 0, message: "" };
  api = await ApiStandIn.listen();
  leases = new Map();
  refusal = undefined;
  writes = [];
  api.answer = (request, response) => {
    void text(request).then((body) => {
      const [statusCode, value] = answerTo(request.method ?? "", request.url ?? "", fieldsOf(parseJson(body)));
      response.writeHead(statusCode).end(JSON.stringify(value));
    });
  };
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
});

afterEach(async () => {
  await agent.stop();
  await kas.close();
  await api.close();
});

function answerTo(method: string, path: string, body: Fields): readonly [statusCode: number, body: unknown] {
  if (path.endsWith("/selfsubjectaccessreviews")) return [201, { status: { allowed: true } }];
  if (path.includes("/leases")) return leaseAnswer(method, path, body);
  if (path === "/api/v1")
    return [200, { kind: "APIResourceList", resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["patch"] }] }];
  if (path.startsWith("/api/v1/namespaces/default/configmaps?")) return [200, { items: [] }];
  if (method === "GET") return [404, {}];
  writes.push(`${method} ${path}`);
  if (method === "POST" && refusal !== undefined) return [refusal, { kind: "Status", message: "the limit is 3145728" }];
  return [201, { metadata: { resourceVersion: "1" } }];
}

function leaseAnswer(method: string, path: string, body: Fields): readonly [statusCode: number, body: unknown] {
  const metadata = isFields(body["metadata"]) ? body["metadata"] : {};
  const key = method === "POST" ? `${path}/${textAt(metadata, "name")}` : path;
  if (method !== "GET") leases.set(key, { ...body, metadata: { ...metadata, resourceVersion: `${leases.size}-${Math.random()}` } });
  const found = leases.get(key);
  return found === undefined ? [404, {}] : [200, found];
}

async function configure(maxObjects: number): Promise<void> {
  const gitops = { manifestProjects: [{ id: "group/app" }] };
  (await kas.configuration()).send({
    commitId: `c${maxObjects}`,
    configuration: { agentId: 5n, gitops, binnacle: { gitops: { maxObjects } } },
  });
}

async function send(commitId: string, names: readonly string[]): Promise<void> {
  const stream = await kas.objects();
  stream.send({ case: "header", value: { commitId, projectId: 7n } });
  const data = Buffer.from(names.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`).join("---\n"));
  stream.send({ case: "object", value: { source: "all.yaml", data } });
  stream.send({ case: "trailer", value: {} });
  stream.end();
}

async function reported(matches: (sync: GitopsSync) => boolean): Promise<GitopsSync> {
  const find = (): GitopsSync | undefined => kas.reports.map(({ sync }) => sync).find(matches);
  await until(() => find() !== undefined);
  const found = find();
  if (found === undefined) throw new Error("there is none");
  return found;
}

/** The process ends, and another one with the same Leases begins. */
async function restart(): Promise<void> {
  await agent.stop();
  kas.reports.length = 0;
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
}

const isFailed = ({ state }: GitopsSync): boolean => state === GitopsSyncState.FAILED;

test("security-3 A4, T41: a commit with too many objects changes nothing, is reported, and is not requested again before commit or limit change", async () => {
  await configure(2);
  await send("c1", ["a", "b", "c"]);
  const reason = /about 3 objects, more than the 2 that gitops\.max_objects allows; .*raise gitops\.max_objects/;
  expect(await reported(isFailed)).toMatchObject({ commitId: "c1", reason: expect.stringMatching(reason) });
  expect((await kas.objects()).request.commitId).toBe("c1");
  expect(writes).toEqual([]);

  await restart();
  await configure(2);
  const waiting = await kas.objects();
  expect(waiting.request.commitId).toBe("c1");
  expect(await reported(isFailed)).toMatchObject({ commitId: "c1", reason: expect.stringMatching(reason) });

  await restart();
  await configure(3);
  await send("c1", ["a", "b", "c"]);
  await reported(({ state }) => state === GitopsSyncState.SYNCED);
  expect((await kas.objects()).request.commitId).toBe("c1");

  // What was applied since is not kept as too large.
  await restart();
  await configure(2);
  expect((await kas.objects()).request.commitId).toBe("");
});

test("security-3 A4: so it is when no ConfigMap can hold the inventory", async () => {
  refusal = 413;
  await configure(10);
  await send("c1", ["a", "b"]);
  const reason = "nothing is applied: a ConfigMap cannot hold an inventory of 2 objects (the limit is 3145728)";
  expect(await reported(isFailed)).toMatchObject({ commitId: "c1", reason });
  expect((await kas.objects()).request.commitId).toBe("c1");
  await restart();
  await configure(10);
  expect((await kas.objects()).request.commitId).toBe("c1");
  expect(writes).toEqual(["POST /api/v1/namespaces/default/configmaps"]);
});
