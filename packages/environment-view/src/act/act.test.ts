import { createHash } from "node:crypto";

import { createStatus } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ScriptedTransport, type ScriptedAnswer } from "../http/scripted-transport.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { act } from "./act.ts";
import type { ActionOutcome } from "./action-outcome.ts";
import type { KubeAction } from "./kube-action.ts";

const NEVER = new AbortController().signal;
const DEPLOYMENTS = { group: "apps", version: "v1", resource: "deployments", namespaced: true };
const SECRETS = { group: "", version: "v1", resource: "secrets", namespaced: true };
const WEB = { kind: DEPLOYMENTS, namespace: "shop", name: "web" };
const ACTOR = { viewer: "ada", clusterUser: "gitlab:user:ada", cluster: "agent 3" };
const PATH = "/apis/apps/v1/namespaces/shop/deployments/web";
const QUERY = "?fieldManager=binnacle&fieldValidation=Strict";
const OBJECT = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", uid: "u1", resourceVersion: "8" } };
const RESTART: KubeAction = { target: WEB, change: { verb: "patch", type: "merge", content: { spec: { paused: true } } } };

interface Line {
  readonly level: "info" | "warn";
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Acts against a scripted answer. */
async function run(action: KubeAction, answer: ScriptedAnswer = { body: OBJECT }, clock = new ManualClock()) {
  const lines: Line[] = [];
  const write = (level: Line["level"]) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  const transport = new ScriptedTransport(() => (clock.advance(40), answer));
  const log = { info: write("info"), warn: write("warn") };
  const outcome = await act(action, { transport, actor: ACTOR, log, clock }, NEVER);
  return { outcome, lines, transport, sent: transport.requests[0], content: JSON.parse(transport.uploads[0] ?? "null") as unknown };
}

test.each<readonly [KubeAction, object, unknown]>([
  [
    { target: { ...WEB, name: "" }, change: { verb: "create", content: OBJECT } },
    { method: "POST", path: `/apis/apps/v1/namespaces/shop/deployments${QUERY}` },
    OBJECT,
  ],
  [
    { target: { ...WEB, subresource: "eviction" }, change: { verb: "create", content: {} }, dryRun: true },
    { method: "POST", path: `${PATH}/eviction${QUERY}&dryRun=All` },
    {},
  ],
  [
    { target: { ...WEB, resourceVersion: "7" }, change: { verb: "update", content: OBJECT } },
    { method: "PUT", path: `${PATH}${QUERY}` },
    { ...OBJECT, metadata: { ...OBJECT.metadata, resourceVersion: "7" } },
  ],
  [
    {
      target: { ...WEB, subresource: "scale", uid: "u1" },
      change: { verb: "patch", type: "merge", content: { spec: { replicas: 3 } } },
    },
    { method: "PATCH", path: `${PATH}/scale${QUERY}`, contentType: "application/merge-patch+json" },
    { spec: { replicas: 3 }, metadata: { uid: "u1" } },
  ],
  [
    { target: WEB, change: { verb: "patch", type: "strategic", content: { spec: {} } } },
    { method: "PATCH", path: `${PATH}${QUERY}`, contentType: "application/strategic-merge-patch+json" },
    { spec: {} },
  ],
  [
    {
      target: { ...WEB, resourceVersion: "7" },
      change: { verb: "patch", type: "json", operations: [{ op: "remove", path: "/spec/paused" }] },
    },
    { method: "PATCH", path: `${PATH}${QUERY}`, contentType: "application/json-patch+json" },
    [
      { op: "test", path: "/metadata/resourceVersion", value: "7" },
      { op: "remove", path: "/spec/paused" },
    ],
  ],
  [
    { target: WEB, change: { verb: "apply", content: OBJECT, force: true }, dryRun: true },
    { method: "PATCH", path: `${PATH}${QUERY}&dryRun=All&force=true`, contentType: "application/apply-patch+yaml" },
    OBJECT,
  ],
  [
    { target: { ...WEB, uid: "u1" }, change: { verb: "delete", propagation: "Foreground", gracePeriodSeconds: 0 }, dryRun: true },
    { method: "DELETE", path: PATH },
    {
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u1" },
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
      dryRun: ["All"],
    },
  ],
])("%j is one request", async (action, request, content) => {
  const result = await run(action);
  expect(result.transport.requests).toHaveLength(1);
  expect(result.sent).toMatchObject(request);
  expect(result.content).toEqual(content);
  expect(result.outcome).toEqual({ kind: "done", stage: "answered", code: 200, answer: OBJECT, warnings: [] });
});

test("who, what, on which object and with which answer stands in two lines of the log", async () => {
  const { lines } = await run({ ...RESTART, target: { ...WEB, subresource: "status", uid: "u1", resourceVersion: "7" } });
  const shared = {
    action_id: expect.any(String),
    viewer: "ada",
    cluster_user: "gitlab:user:ada",
    cluster: "agent 3",
    verb: "patch",
    patch_type: "merge",
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "status",
    namespace: "shop",
    name: "web",
    required_uid: "u1",
    required_resource_version: "7",
    dry_run: false,
    content_bytes: 70,
    content_hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
  };
  const answer = { outcome: "done", stage: "answered", code: 200, reason: "", uid: "u1", resource_version: "8", duration_ms: 40 };
  expect(lines).toEqual([
    { level: "info", message: "action begun", ...shared },
    { level: "info", message: "action ended", ...shared, ...answer },
  ]);
  expect(lines[0]?.["action_id"]).toBe(lines[1]?.["action_id"]);
});

test("what an action is for stands in both lines, and is no longer than a name", async () => {
  const lines: object[] = [];
  const write = (fields: object) => void lines.push(fields);
  const transport = new ScriptedTransport(() => ({ body: OBJECT }));
  const purpose = { intent: "pause", environment: "e".repeat(300) };
  await act(RESTART, { transport, actor: ACTOR, log: { info: write, warn: write }, purpose }, NEVER);
  const written = { purpose: { intent: "pause", environment: `${"e".repeat(253)}…` } };
  expect(lines).toEqual([expect.objectContaining(written), expect.objectContaining(written)]);
});

test("T7: no value of a Secret reaches the log, neither from what is sent nor from what is answered", async () => {
  const target = { kind: SECRETS, namespace: "shop", name: "database" };
  const content = { apiVersion: "v1", kind: "Secret", metadata: { name: "database" }, stringData: { password: "hunter2" } };
  const echo = { ...content, metadata: { ...content.metadata, annotations: { last: "hunter2" } } };
  const invalid = createStatus(422, 'Secret is invalid: stringData: "hunter2"', {
    details: { causes: [{ message: "hunter2", reason: "FieldValueInvalid" }] },
  });
  for (const answer of [{ body: echo }, { status: 422, body: invalid }, { body: "hunter2" }, { failure: new Error("hunter2") }]) {
    const { lines } = await run({ target, change: { verb: "apply", content } }, answer);
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain("hunter2");
  }
});

test("equal contents have equal hashes, and cannot be computed from the log", async () => {
  const hashOf = async (replicas: number): Promise<unknown> =>
    (await run({ target: WEB, change: { verb: "patch", type: "merge", content: { replicas } } })).lines[0]?.["content_hmac"];
  expect(await hashOf(1)).toBe(await hashOf(1));
  expect(await hashOf(1)).not.toBe(await hashOf(2));
  expect(await hashOf(1)).not.toBe(createHash("sha256").update('{"replicas":1}').digest("hex"));
});

const OFFLINE = new KubeClientError("agent_offline", "no", { stage: "not_started", status: createStatus(503, "no") });

const ENDS: Readonly<Record<string, readonly [ScriptedAnswer, Partial<ActionOutcome>, object]>> = {
  "409": [
    { status: 409, body: createStatus(409, "no") },
    { kind: "refused", stage: "answered" },
    { code: 409, reason: "Conflict" },
  ],
  "403": [
    { status: 403, body: createStatus(403, "no") },
    { kind: "refused", stage: "answered" },
    { code: 403, reason: "Forbidden" },
  ],
  "403 of words": [{ status: 403, body: "no" }, { kind: "refused", stage: "answered" }, { code: 403 }],
  "500": [{ status: 500, body: createStatus(500, "etcd") }, { kind: "unknown", stage: "answered" }, { code: 500 }],
  "504": [{ status: 504, body: createStatus(504, "late") }, { kind: "unknown", stage: "answered" }, { code: 504 }],
  "503 of kas": [{ failure: OFFLINE }, { kind: "refused", stage: "not_started" }, { failure: "agent_offline", code: 503 }],
  "cut connection": [{ failure: new KubeClientError("connection", "no", { stage: "started" }) }, { kind: "unknown", stage: "started" }, {}],
  "failure without a stage": [{ failure: new Error("socket hang up") }, { kind: "unknown", stage: "started" }, { failure: "connection" }],
  "broken body": [{ pieces: ['{"kind":', new Error("cut")] }, { kind: "unknown", stage: "answered" }, { failure: "connection" }],
  "page of another server": [{ body: "<html>" }, { kind: "unknown", stage: "answered" }, { failure: "connection" }],
  redirect: [{ status: 302, body: OBJECT }, { kind: "unknown", stage: "answered" }, { failure: "connection" }],
  "failure Status with 200": [{ body: createStatus(500, "no") }, { kind: "unknown", stage: "answered" }, {}],
};

test.each(Object.entries(ENDS))("after a %s the outcome and the log say what is certain, and it is never sent again", async (_, end) => {
  const [answer, outcome, logged] = end;
  const result = await run(RESTART, answer);
  expect(result.outcome).toMatchObject(outcome);
  expect(result.transport.requests).toHaveLength(1);
  const level = outcome.kind === "unknown" ? "warn" : "info";
  expect(result.lines[1]).toMatchObject({ level, outcome: outcome.kind, stage: outcome.stage, duration_ms: 40, ...logged });
});

test("an answer of a Status is one too", async () => {
  const status = { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" };
  const { outcome } = await run({ target: WEB, change: { verb: "delete" } }, { body: status });
  expect(outcome).toEqual({ kind: "done", stage: "answered", code: 200, answer: status, warnings: [] });
});

test.each([
  ["one", '299 - "unknown field \\"spec.a\\""', ['unknown field "spec.a"']],
  [
    "two that are joined",
    '299 - "first, with a comma", 299 kube "second" "Sat, 28 Nov 2026 00:00:00 GMT"',
    ["first, with a comma", "second"],
  ],
  ["none", "nothing of the kind", []],
  ["an endless number", '299 - "again", '.repeat(10_000), Array(20).fill("again")],
])("warnings of the API server: %s", async (_title, warning, warnings) => {
  const { outcome } = await run(RESTART, { body: OBJECT, headers: { warning } });
  expect(outcome).toMatchObject({ kind: "done", warnings });
});

test.each<KubeAction>([
  { target: { ...WEB, namespace: "" }, change: { verb: "delete" } },
  { target: { ...WEB, name: "" }, change: { verb: "delete" } },
  { target: { ...WEB, name: "" }, change: { verb: "update", content: OBJECT } },
  { target: { ...WEB, uid: "u1" }, change: { verb: "create", content: {} } },
  { target: { ...WEB, name: "../../secrets/x" }, change: { verb: "delete" } },
  { target: { ...WEB, subresource: "scale?x" }, change: { verb: "update", content: {} } },
])("T25: nothing is sent for %j, and the log says so", async (action) => {
  const { outcome, transport, lines } = await run(action);
  expect(outcome).toMatchObject({ kind: "refused", stage: "not_started", error: { failure: "api", status: { code: 400 } } });
  expect(transport.requests).toEqual([]);
  expect(lines[1]).toMatchObject({ outcome: "refused", stage: "not_started", code: 400 });
});

test.each([
  ["x".repeat(100_000), "done"],
  ["x/".repeat(50_000), "refused"],
])("the log has no more than the beginning of a long name", async (name, kind) => {
  const { outcome, lines } = await run({ target: { ...WEB, name }, change: { verb: "delete" } });
  expect(outcome.kind).toBe(kind);
  expect(JSON.stringify(lines).length).toBeLessThan(4_000);
});

test("XM2, T25: whatever stands for a name, an action goes to the object that it names or nowhere, in two lines of bounded size", async () => {
  const parts = fc.array(fc.constantFrom("..", "/", "%2F", "?", "#", " ", "\n", "a", "x".repeat(30), "ü"), { maxLength: 4 });
  const hostile = fc.oneof(
    parts.map((texts) => texts.join("")),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const places = fc.constantFrom("name", "namespace", "subresource", "group", "version", "resource");
  await fc.assert(
    fc.asyncProperty(hostile, places, async (text, place) => {
      const names = {
        group: "apps",
        version: "v1",
        resource: "deployments",
        namespace: "shop",
        name: "web",
        subresource: "scale",
        [place]: text,
      };
      const { group, version, resource, namespace, name, subresource } = names;
      const target = { kind: { ...DEPLOYMENTS, group, version, resource }, namespace, name, subresource };
      const { transport, lines } = await run({ target, change: { verb: "update", content: {} } });
      const root = group === "" ? "/api" : `/apis/${group}`;
      const tail = subresource === "" ? "" : `/${subresource}`;
      const path = `${root}/${version}/namespaces/${namespace}/${resource}/${name}${tail}`;
      for (const request of transport.requests) {
        expect(request.path.endsWith(QUERY)).toBe(true);
        const { pathname } = new URL(request.path, "http://api");
        expect(pathname + QUERY).toBe(request.path);
        expect(decodeURIComponent(pathname)).toBe(path);
        // As many segments as the path of an object has, also when a proxy has decoded it.
        expect(path.split("/")).toHaveLength(pathname.split("/").length);
      }
      expect(transport.requests.length).toBeLessThanOrEqual(1);
      expect(lines).toHaveLength(2);
      expect(JSON.stringify(lines).length).toBeLessThan(8_000);
    }),
  );
});
