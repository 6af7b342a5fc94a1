import { HurriedClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "../../testing/api-stand-in.ts";
import { FakeKas, type FakeObjectsStream } from "../../testing/fake-kas.ts";
import { plainAccess } from "../../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../../whole-agent/running-agent.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;
let clock: HurriedClock;
/** Methods and paths of requests, without those of every agent. */
let requests: string[];
/** What `SelfSubjectAccessReview` answers. */
let allowed: boolean;

const MAPS = { name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["get", "patch"] };

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  requests = [];
  allowed = true;
  api.answer = (request, response) => {
    const path = request.url ?? "";
    if (path !== "/version") requests.push(`${request.method ?? ""} ${path}`);
    const [statusCode, body] = answerTo(request.method ?? "", path);
    response.writeHead(statusCode).end(JSON.stringify(body));
  };
  clock = new HurriedClock();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url), { clock });
});

afterEach(async () => {
  await agent.stop();
  await kas.close();
  await api.close();
});

async function configure(...ids: string[]): Promise<{ again(...ids: string[]): void }> {
  const stream = await kas.configuration();
  const send = (...of: string[]): void =>
    stream.send({ commitId: of.join() || "none", configuration: { agentId: 5n, gitops: { manifestProjects: of.map((id) => ({ id })) } } });
  send(...ids);
  return { again: send };
}

function answerTo(method: string, path: string): readonly [statusCode: number, body: unknown] {
  if (path.endsWith("/selfsubjectaccessreviews")) return [201, { status: { allowed } }];
  if (method === "POST") return [201, {}];
  if (method === "PATCH") return [200, {}];
  if (path.startsWith("/api/v1/namespaces/default/configmaps?")) return [200, { items: [] }];
  return [404, {}];
}

const header = (stream: FakeObjectsStream, commitId: string): void => stream.send({ case: "header", value: { commitId, projectId: 7n } });
const ends = (): number => agent.lines.filter((line) => line === "info: sync ended").length;

test("an agent without projects asks nothing of the cluster, nor kas for manifests", async () => {
  await configure();
  await until(() => agent.lines.includes("info: configuration received"));
  expect(requests).toEqual([]);
});

test("without its rights the agent says so, takes no lease and asks for no manifests", async () => {
  allowed = false;
  await configure("a");
  await until(() => agent.lines.includes("warn: manifests are not applied"));
  await until(() => kas.reports.length > 0);
  expect(kas.reports[0]?.sync).toMatchObject({
    project: "a",
    reason: expect.stringMatching(/^nothing is applied: the agent may not get leases in /),
  });
  expect(requests.filter((line) => !line.endsWith("/selfsubjectaccessreviews"))).toEqual([]);
});

test("a configuration that is wrong leaves the one before it in force; one without projects ends the work", async () => {
  const configuration = await configure("a");
  const stream = await kas.objects();
  configuration.again("b", "b");
  await until(() => agent.lines.includes("warn: the gitops configuration is refused"));
  header(stream, "c1");
  stream.send({ case: "trailer", value: {} });
  stream.end();
  expect((await kas.objects()).request).toMatchObject({ projectId: "a", commitId: "c1" });
  configuration.again();
  await until(() => requests.some((line) => line.startsWith("PUT ") || line.startsWith("GET /apis/coordination")));
});

test("two projects are requested side by side, each with its own commit", async () => {
  await configure("a", "b");
  const streams = [await kas.objects(), await kas.objects()];
  expect(streams.map(({ request }) => request.projectId).toSorted()).toEqual(["a", "b"]);
});

test.each([
  ["an object before the header", (stream: FakeObjectsStream) => stream.send({ case: "object", value: { source: "a" } })],
  ["a header without a commit", (stream: FakeObjectsStream) => header(stream, "")],
  [
    "two headers",
    (stream: FakeObjectsStream) => {
      header(stream, "bad");
      header(stream, "bad");
    },
  ],
  [
    "an error behind the trailer",
    (stream: FakeObjectsStream) => {
      header(stream, "bad");
      stream.send({ case: "trailer", value: {} });
      stream.end({ code: 14, message: "broken" });
    },
  ],
  [
    "an end without a trailer",
    (stream: FakeObjectsStream) => {
      header(stream, "bad");
      stream.send({ case: "object", value: { source: "a.yaml", data: Buffer.from("kind: Pod") } });
      stream.end();
    },
  ],
  ["a refusal", (stream: FakeObjectsStream) => stream.end({ code: 7, message: "not yours" })],
])("an incomplete stream is discarded and requested again: %s", async (_title, lie) => {
  await configure("a");
  lie(await kas.objects());
  const next: FakeObjectsStream[] = [];
  void kas.objects().then((stream) => next.push(stream));
  await clock.skipUntil(() => next.length > 0, 500);
  const [again] = next as [FakeObjectsStream];
  expect(again.request.commitId).toBe("");
  header(again, "good");
  again.send({ case: "trailer", value: {} });
  again.end();
  expect((await kas.objects()).request.commitId).toBe("good");
  await until(() => ends() === 1);
});

test("a commit that comes while the one before it is synced is synced next", async () => {
  await configure("a");
  for (const commitId of ["c1", "c2", "c3"]) {
    const stream = await kas.objects();
    expect(stream.request.commitId).toBe(commitId === "c1" ? "" : `c${Number(commitId[1]) - 1}`);
    header(stream, commitId);
    stream.send({ case: "trailer", value: {} });
    stream.end();
  }
  expect((await kas.objects()).request.commitId).toBe("c3");
  await until(() => ends() >= 1 && requests.filter((line) => line.startsWith("POST /api/v1/namespaces/default/configmaps")).length >= 1);
});

test("a lease that is lost in the middle of a sync breaks it off where it is", async () => {
  const usual = api.answer;
  let thief = false;
  let cut = false;
  api.answer = (request, response) => {
    const path = request.url ?? "";
    if (thief && path.includes("/leases/")) {
      response.end(JSON.stringify({ metadata: { resourceVersion: "9" }, spec: { holderIdentity: "another" } }));
    } else if (path === "/api/v1") response.end(JSON.stringify({ kind: "APIResourceList", resources: [MAPS] }));
    else if (request.method === "PATCH") {
      // The answer never comes; the agent must not wait for it.
      thief = true;
      response.on("close", () => (cut = true));
    } else usual(request, response);
  };
  await configure("a");
  const stream = await kas.objects();
  header(stream, "c1");
  stream.send({ case: "object", value: { source: "a.yaml", data: Buffer.from("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}") } });
  stream.send({ case: "trailer", value: {} });
  stream.end();
  await until(() => cut);
  expect(ends()).toBe(0);
  expect(agent.lines).not.toContain("warn: sync broke off");
});
