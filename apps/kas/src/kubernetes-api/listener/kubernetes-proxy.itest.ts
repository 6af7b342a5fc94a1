import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { json, text } from "node:stream/consumers";

import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { HeaderExtraSchema } from "@binnacle/proto/kubernetes-api";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { LocalConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import { ProxyAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../main-application/testing/fake-main-application.ts";
import { ScriptedRouter, type ScriptedCall } from "../../agent-call/testing/scripted-router.ts";
import { KubernetesApiListener } from "./kubernetes-api-listener.ts";
import { CallerAccess } from "../access/caller-access.ts";
import { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";

const PREFIX = "/-/k8s/";
const ORIGIN = "https://app.example";
const USER = {
  agent: { id: 7, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["reporter", "developer"] }], groups: [{ id: 9, roles: ["reporter"] }] } },
};
const JOB = {
  allowed_agents: [{ id: 7, config_project: { id: 3 }, configuration: { access_as: { ci_job: {} } } }],
  job: { id: 5 },
  pipeline: { id: 6 },
  project: { id: 3, groups: [{ id: 9 }] },
  user: { id: 1, username: "ann", roles_in_project: [] },
  environment: { slug: "prod", tier: "production" },
};

let application: FakeMainApplication;
let router: ScriptedRouter;
let errors: LocalConfigurationErrors;
let listener: KubernetesApiListener;
/** Requests that were let through. */
let authorized: number;

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = (call) => answerOf(call);
  router = new ScriptedRouter();
  authorized = 0;
  errors = new LocalConfigurationErrors(systemClock, 60_000);
  const clock = systemClock;
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const settings = {
    router,
    authorizer: new ProxyAuthorizer(application.client(), clock, { users: ttl, jobs: ttl }),
    errors,
    clock,
    log: createLogger("test", "silent"),
    pathPrefix: PREFIX,
    allowedOrigin: ORIGIN,
    waitMs: 1_000,
    serverName: "gitlab-kas/test",
    onAuthorized: () => (authorized += 1),
    onAnswer: () => undefined,
  };
  const callers = new CallerAccess(settings);
  const proxy = new KubernetesProxy({ ...settings, callers });
  listener = await KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    proxy,
    clock,
    graceMs: 10,
    upgrade: () => false,
    intercept: () => false,
  });
});

afterEach(async () => {
  await listener.close();
  await application.close();
});

function answerOf(call: FakeMainApplication["seen"][number]): { status: number; body?: unknown } {
  if (call.url.endsWith("/authorize_proxy_user")) {
    // Our own client writes these bodies.
    const body = JSON.parse(call.body) as { access_key?: string; agent_id?: number };
    if (body.access_key === "forbidden") return { status: 403, body: {} };
    if (body.access_key === "unknown-agent") return { status: 404, body: {} };
    if (body.access_key === "as-agent") return { status: 200, body: { ...USER, access_as: { agent: {} } } };
    if (body.access_key === "down") return { status: 500, body: {} };
    return body.access_key === "good" && body.agent_id === 7 ? { status: 200, body: USER } : { status: 401, body: {} };
  }
  return call.headers["job-token"] === "good" ? { status: 200, body: JOB } : { status: 401, body: {} };
}

type Headers = Record<string, string | string[]>;
const pat = (token = "good"): Headers => ({ authorization: `Bearer pat:7:${token}` });

/** Node's own client: it sends path and headers as they are given. */
function send(
  path: string,
  headers: Headers,
  init: { method?: string; body?: string } = {},
): Promise<{ statusCode: number; headers: IncomingHttpHeaders; body: IncomingMessage }> {
  const [host, port] = listener.address.split(":");
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path, headers, method: init.method ?? "GET" }, (body) =>
      resolve({ statusCode: body.statusCode ?? 0, headers: body.headers, body }),
    );
    sent.on("error", reject);
    sent.end(init.body);
  });
}

async function refusal(
  path: string,
  headers: Headers,
): Promise<{ status: number; kind: unknown; message: string; unauthorized: unknown; retry: unknown; cause: unknown }> {
  const answer = await send(path, headers);
  // Every refusal of ours is a Status.
  const body = (await json(answer.body)) as { kind?: unknown; message: string; details?: { causes: { reason: string }[] } };
  return {
    status: answer.statusCode,
    kind: body.kind,
    message: body.message,
    unauthorized: answer.headers["gitlab-unauthorized"],
    retry: answer.headers["retry-after"],
    cause: body.details?.causes[0]?.reason,
  };
}

function lastCall(): ScriptedCall {
  const call = router.calls.at(-1);
  if (!call) throw new Error("no call reached the agent");
  return call;
}

function sentHeader(call: ScriptedCall) {
  const message = call.messages[0]?.message;
  if (message?.case !== "header" || message.value.request === undefined) throw new Error("the first message is no header");
  const extra = message.value.extra === undefined ? undefined : anyUnpack(message.value.extra, HeaderExtraSchema);
  return {
    request: message.value.request,
    identity: extra?.impConfig,
    contentLength: message.value.contentLength,
    rawTarget: message.value.rawTarget,
  };
}

test("requests that are let through are counted, and those that are refused are not", async () => {
  await send(`${PREFIX}api/v1/pods`, pat());
  await send(`${PREFIX}api/v1/pods`, pat("bad"));
  await send(`${PREFIX}api/v1/pods`, {});
  expect(authorized).toBe(1);
});

describe("who may", () => {
  test.each([
    ["no credential", {}, 401],
    ["another scheme", { authorization: "Basic x" }, 401],
    ["an unknown type", { authorization: "Bearer zzz:7:good" }, 401],
    ["an agent id that is no number", { authorization: "Bearer pat:x:good" }, 401],
    ["an empty token", { authorization: "Bearer pat:7:" }, 401],
    ["two Authorization lines", { authorization: ["Bearer pat:7:good", "Bearer pat:7:good"] }, 401],
    ["a cookie without CSRF token", { cookie: "_gitlab_kas=good", "gitlab-agent-id": "7" }, 401],
    ["two agent ids", { cookie: "_gitlab_kas=good", "gitlab-agent-id": ["7", "7"], "x-csrf-token": "t" }, 401],
    ["two cookies", { cookie: "_gitlab_kas=good; _gitlab_kas=other", "gitlab-agent-id": "7", "x-csrf-token": "t" }, 401],
    ["a job token that is wrong", { authorization: "Bearer ci:7:bad" }, 401],
    ["a job of which the agent knows nothing", { authorization: "Bearer ci:8:good" }, 403],
    ["a main application that is down", pat("down"), 503],
    ["a foreign origin", { ...pat(), origin: "https://evil.example" }, 403],
  ] as [string, Headers, number][])("%s is refused with a Status", async (_name, headers, status) => {
    expect(await refusal(`${PREFIX}api`, headers)).toMatchObject({ status, kind: "Status" });
    expect(router.calls).toHaveLength(0);
  });

  test("T24: a bad token, an unknown agent and a user who may not look the same", async () => {
    const answers = [
      await refusal(`${PREFIX}api`, pat("bad")),
      await refusal(`${PREFIX}api`, pat("unknown-agent")),
      await refusal(`${PREFIX}api`, pat("forbidden")),
    ];
    for (const answer of answers)
      expect(answer).toEqual({
        status: 401,
        kind: "Status",
        message: "kas (agent server): Unauthorized",
        unauthorized: "true",
        retry: undefined,
      });
    // The order of questions tells nothing either: one for each, the same one, and no agent was looked for.
    const question = "POST /api/v4/internal/kubernetes/authorize_proxy_user";
    expect(application.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([question, question, question]);
    expect(router.calls).toHaveLength(0);
  });

  test("a request with a cookie takes agent and CSRF token from headers or from the query, and unescapes the cookie", async () => {
    application.answer = (call) => {
      expect(JSON.parse(call.body)).toEqual({ agent_id: 7, access_type: "session_cookie", access_key: "a/b=", csrf_token: "tok" });
      return { status: 200, body: USER };
    };
    const cookie = "other=1; _gitlab_kas=a%2Fb%3D";
    expect((await send(`${PREFIX}api`, { cookie, "gitlab-agent-id": "7", "x-csrf-token": "tok" })).statusCode).toBe(200);
    expect((await send(`${PREFIX}api?gitlab-agent-id=7&gitlab-csrf-token=tok&limit=1`, { cookie })).statusCode).toBe(200);
    expect(Object.keys(sentHeader(lastCall()).request.query)).toEqual(["limit"]);
    expect(sentHeader(lastCall()).rawTarget).toBe("/api?limit=1");
  });
});

describe("as whom", () => {
  test("a user acts with the own identity, with a group for each role", async () => {
    await send(`${PREFIX}api`, pat());
    expect(sentHeader(lastCall()).identity).toMatchObject({
      username: "gitlab:user:ann",
      groups: ["gitlab:user", "gitlab:project_role:3:reporter", "gitlab:project_role:3:developer", "gitlab:group_role:9:reporter"],
      extra: [
        { key: "agent.gitlab.com/id", val: ["7"] },
        { key: "agent.gitlab.com/username", val: ["ann"] },
        { key: "agent.gitlab.com/access_type", val: ["personal_access_token"] },
        { key: "agent.gitlab.com/config_project_id", val: ["3"] },
      ],
    });
  });

  test("a job acts as the job", async () => {
    await send(`${PREFIX}api`, { authorization: "Bearer ci:7:good" });
    expect(sentHeader(lastCall()).identity).toMatchObject({
      username: "gitlab:ci_job:5",
      groups: [
        "gitlab:ci_job",
        "gitlab:group:9",
        "gitlab:project:3",
        "gitlab:group_env_tier:9:production",
        "gitlab:project_env:3:prod",
        "gitlab:project_env_tier:3:production",
      ],
    });
  });

  test.each(["Impersonate-User", "impersonate_user", "Impersonate-Uid", "Impersonate-Extra-x", "Impersonate-Anything"])(
    "T6: %s beside ours is refused",
    async (name) => {
      expect(await refusal(`${PREFIX}api`, { ...pat(), [name]: "admin" })).toMatchObject({ status: 400, kind: "Status" });
      expect(router.calls).toHaveLength(0);
    },
  );

  test("where the agent itself acts, a tool may impersonate; a browser may not", async () => {
    await send(`${PREFIX}api`, { ...pat("as-agent"), "Impersonate-User": "bob" });
    expect(sentHeader(lastCall())).toMatchObject({ identity: undefined, request: { header: { "impersonate-user": { value: ["bob"] } } } });
    const cookie = { cookie: "_gitlab_kas=as-agent", "gitlab-agent-id": "7", "x-csrf-token": "t" };
    expect(await refusal(`${PREFIX}api`, { ...cookie, "Impersonate-User": "bob" })).toMatchObject({ status: 400 });
  });
});

describe("what passes", () => {
  test("method, decoded path, query with repeated keys and body arrive; credentials and hop headers do not", async () => {
    const headers = {
      ...pat(),
      cookie: "a=b",
      connection: "X-Hop",
      "x-hop": "1",
      "kubectl-session": "2",
      "content-type": "application/json",
      "content-length": "7",
    };
    await send(`${PREFIX}api/v1/a%20b?x=2&x=1&y=%2F`, headers, { method: "POST", body: '{"a":1}' });
    const call = lastCall();
    const { request: sent, contentLength, rawTarget } = sentHeader(call);
    expect(rawTarget).toBe("/api/v1/a%20b?x=2&x=1&y=%2F");
    expect(sent).toMatchObject({ method: "POST", urlPath: "/api/v1/a b", query: { x: { value: ["2", "1"] }, y: { value: ["/"] } } });
    expect(contentLength).toBe(7n);
    expect(sent.header["kubectl-session"]?.value).toEqual(["2"]);
    for (const name of ["authorization", "cookie", "host", "connection", "x-hop", "content-length", "gitlab-agent-id"])
      expect(sent.header, name).not.toHaveProperty(name);
    const body = call.messages.flatMap(({ message }) => (message.case === "data" ? [Buffer.from(message.value.data).toString()] : []));
    expect(body.join("")).toBe('{"a":1}');
    expect(call.messages.at(-1)?.message.case).toBe("trailer");
  });

  test("R3: characters of a Role's name that are encoded in the path reach the agent decoded", async () => {
    await send(`${PREFIX}roles/${encodeURIComponent("a b#c?d\\e\nf;ü\u202e..")}`, pat());
    expect(sentHeader(lastCall()).request.urlPath).toBe("/roles/a b#c?d\\e\nf;ü\u202e..");
  });

  test("T4: Connection may not name headers of ours away", async () => {
    await send(`${PREFIX}api`, { ...pat(), connection: "Impersonate-User, Via" });
    expect(sentHeader(lastCall()).identity?.username).toBe("gitlab:user:ann");
    expect(sentHeader(lastCall()).request.header["via"]?.value).toEqual(["1.1 gitlab-kas"]);
  });

  test("T11: the answer keeps status and body; cookies, foreign redirects and active content do not reach our origin", async () => {
    router.onRequest = (call) => {
      call.respond(302, {
        "Content-Type": ["text/html"],
        Location: ["https://evil.example/"],
        "Set-Cookie": ["a=b"],
        "X-Any": ["1"],
        Etag: ['"e"'],
      });
      call.data("<script>");
      call.finish();
    };
    const answer = await send(`${PREFIX}api`, pat());
    expect(answer.statusCode).toBe(302);
    expect(await text(answer.body)).toBe("<script>");
    expect(answer.headers).toMatchObject({ etag: '"e"', "content-disposition": "attachment", "x-content-type-options": "nosniff" });
    expect(answer.headers["content-security-policy"]).toContain("sandbox");
    for (const name of ["location", "set-cookie", "x-any"]) expect(answer.headers).not.toHaveProperty(name);
  });

  test.each([
    ["/api/v1", 400],
    ["/-/k8sX/api", 400],
    ["/-/k8s", 400],
    [`${PREFIX}/evil`, 400],
    [`${PREFIX}api/%2e%2e/x`, 400],
    [`${PREFIX}a%2f..%2fb`, 400],
    [`${PREFIX}a\\b`, 400],
    [`${PREFIX}a%ZZ`, 400],
  ])("T3, T25: the path %s is rejected before any call", async (path, status) => {
    expect(await refusal(path, pat())).toMatchObject({ status, kind: "Status" });
    expect(application.seen).toHaveLength(0);
  });

  test("the origin of the main application may ask with cookies", async () => {
    const preflight = await send(
      `${PREFIX}api`,
      { origin: ORIGIN, "access-control-request-method": "GET", "access-control-request-headers": "gitlab-agent-id" },
      { method: "OPTIONS" },
    );
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "gitlab-agent-id",
    });
    const answer = await send(`${PREFIX}api`, { ...pat(), origin: ORIGIN });
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": ORIGIN, vary: "Origin" });
  });

  test("a broken agent configuration stands on every answer", async () => {
    errors.set(7n, { reason: "typo\n€", lastGoodCommit: "abc" });
    expect((await send(`${PREFIX}api`, pat())).headers["kas-agent-config-error"]).toBe("typo??; last-good=abc");
  });
});
