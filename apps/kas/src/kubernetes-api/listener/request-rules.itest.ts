import { text } from "node:stream/consumers";

import { Fault } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { CI, COOKIE, JOB, ORIGIN, PAT, PREFIX, ProxyUnderTest, USER } from "./testing/proxy-under-test.ts";

let kas: ProxyUnderTest;
let budget: { limit: number; free: number } | undefined;
beforeEach(async () => {
  budget = undefined;
  kas = await ProxyUnderTest.start({ watchBudget: () => budget });
});
afterEach(() => kas.stop());

const PODS = `${PREFIX}api/v1/pods`;

/** Sends bytes as they are, and reads the whole answer. */
async function raw(...pieces: readonly string[]): Promise<{ status: number; body: Record<string, unknown> }> {
  const socket = kas.dial();
  let received = "";
  socket.on("data", (piece: Buffer) => (received += piece.toString()));
  socket.on("error", () => undefined);
  for (const piece of pieces) socket.write(piece);
  await new Promise((resolve) => socket.once("close", resolve));
  const [head = "", body = ""] = received.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body) };
}

describe("headers for the cluster", () => {
  test("XM8, T7: those of kubectl and client-go pass", async () => {
    const headers = {
      Accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
      "Accept-Encoding": "gzip",
      "Accept-Language": "en",
      "Content-Type": "application/apply-patch+yaml",
      "Content-Encoding": "gzip",
      "User-Agent": "kubectl/v1.34.0 (linux/amd64) kubernetes/abc",
      "Kubectl-Command": "kubectl apply",
      "Kubectl-Session": "4f1c",
      "If-None-Match": '"e"',
      "If-Match": '"f"',
      Range: "bytes=0-1",
      "Cache-Control": "no-cache",
      "X-Stream-Protocol-Version": "v5.channel.k8s.io",
      "X-Kubernetes-Priority": "1",
      "Audit-ID": "1",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "a=b",
      "X-Request-Id": "r",
    };
    await kas.send(PODS, { headers: { ...PAT, ...headers }, method: "PATCH", body: "x" });
    const sent = kas.requestHead().header;
    for (const [name, value] of Object.entries(headers)) expect(sent[name.toLowerCase()]?.value, name).toEqual([value]);
    expect(Object.keys(sent).toSorted()).toEqual([...Object.keys(headers).map((name) => name.toLowerCase()), "via"].toSorted());
  });

  test.each([
    "Cookie",
    "Private-Token",
    "private_token",
    "PRIVATE-TOKEN",
    "Job-Token",
    "Deploy-Token",
    "X-Csrf-Token",
    "Gitlab-Agent-Id",
    "Gitlab-Csrf-Token",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Client-Cert",
    "X-Real-Ip",
    "Forwarded",
    "X-Remote-User",
    "X-Remote-Group",
    "X-Remote-Extra-Scopes",
    "X_Remote_User",
    "Via",
    "Origin",
    "Referer",
    "Expect",
    "Proxy-Authorization",
    "Te",
    "Sec-WebSocket-Protocol",
    "Kas-Watch-Budget",
    "Kas-Proof",
    "Content_Type",
    "X-Anything",
  ])("XM8, T4, T7: %s does not pass", async (name) => {
    const value = name === "Expect" ? "100-continue" : name === "Origin" ? ORIGIN : "canary";
    await kas.send(PODS, { headers: { ...PAT, [name]: value } });
    const sent = kas.requestHead().header;
    expect(Object.keys(sent).filter((key) => key !== "via")).toEqual([]);
    expect(sent["via"]?.value).toEqual(["1.1 gitlab-kas"]);
    expect(JSON.stringify(Object.values(sent).map(({ value }) => value))).not.toContain("canary");
  });

  test("XM8, T7: credentials in the query do not pass, in whatever spelling", async () => {
    const names = [
      "private_token",
      "Private-Token",
      "PRIVATE_TOKEN",
      "job_token",
      "gitlab-csrf-token",
      "Gitlab-Csrf-Token",
      "GITLAB-AGENT-ID",
      "gitlab_agent_id",
    ];
    await kas.send(`${PODS}?${names.map((name) => `${name}=canary`).join("&")}&limit=5&labelSelector=private_token`);
    expect(Object.keys(kas.requestHead().query).toSorted()).toEqual(["labelSelector", "limit"]);
  });

  test("T5: of two types the first counts", async () => {
    await kas.send(PODS, { headers: { ...PAT, "Content-Type": ["application/json", "text/html"] }, method: "POST", body: "{}" });
    expect(kas.requestHead().header["content-type"]?.value).toEqual(["application/json"]);
  });
});

describe("who may impersonate where the agent acts", () => {
  const withImpersonation = (headers: Readonly<Record<string, string>>) => ({
    headers: { ...headers, "Impersonate-Group": "system:masters" },
  });

  test.each([
    ["none", { pat: 200, ci: 200, cookie: 200 }],
    ["cookie", { pat: 200, ci: 200, cookie: 400 }],
    ["all", { pat: 400, ci: 400, cookie: 400 }],
    [undefined, { pat: 200, ci: 200, cookie: 400 }],
  ] as const)("XM6, T6: forbid_client_impersonation %s", async (forbidImpersonation, expected) => {
    const other = await ProxyUnderTest.start(forbidImpersonation === undefined ? {} : { forbidImpersonation });
    const job = { ...JOB, allowed_agents: [{ id: 7, config_project: { id: 3 } }] };
    other.application.answer = ({ url }) => ({
      status: 200,
      body: url.endsWith("/authorize_proxy_user") ? { ...USER, access_as: { agent: {} } } : job,
    });
    const answers = {
      pat: (await other.send(PODS, withImpersonation(PAT))).statusCode,
      ci: (await other.send(PODS, withImpersonation(CI))).statusCode,
      cookie: (await other.send(PODS, withImpersonation(COOKIE))).statusCode,
    };
    await other.stop();
    expect(answers).toEqual(expected);
  });

  test.each([PAT, CI])("XM6, T6: no caller may impersonate beside an identity that kas sets", async (credential) => {
    expect(await kas.refusal(PODS, withImpersonation(credential))).toMatchObject({ status: 400, kind: "Status" });
    expect(kas.router.calls).toHaveLength(0);
  });

  test.each([{}, { something: {} }, { agent: {}, user: {} }])(
    "KS5: access_as %j is rejected with its reason, and the agent is not called",
    async (accessAs) => {
      kas.application.answer = () => ({ status: 200, body: { ...USER, access_as: accessAs } });
      expect(await kas.refusal(PODS)).toMatchObject({ status: 501, reason: "access_mode_unknown" });
      expect(kas.router.calls).toHaveLength(0);
    },
  );

  test("KS5: an odd access of one agent leaves a job's other agents alone", async () => {
    const agents = [
      { id: 7, config_project: { id: 3 }, configuration: { access_as: { ci_job: {} } } },
      { id: 8, config_project: { id: 3 }, configuration: { access_as: { something: {} } } },
    ];
    kas.application.answer = () => ({ status: 200, body: { ...JOB, allowed_agents: agents } });
    expect((await kas.send(PODS, { headers: CI })).statusCode).toBe(200);
    expect(await kas.refusal(PODS, { headers: { authorization: "Bearer ci:8:good" } })).toMatchObject({ status: 501 });
  });
});

describe("requests that are none", () => {
  test("XM9, T12: two hosts, and none, are refused", async () => {
    const rest = `Authorization: ${PAT.authorization}\r\nConnection: close\r\n\r\n`;
    expect(await raw(`GET ${PODS} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${rest}`)).toMatchObject({ status: 400, body: { kind: "Status" } });
    expect(await raw(`GET ${PODS} HTTP/1.1\r\nHost: a\r\nhOST: a\r\n${rest}`)).toMatchObject({ status: 400, body: { kind: "Status" } });
    expect(await raw(`GET ${PODS} HTTP/1.1\r\n${rest}`)).toMatchObject({ status: 400, body: { kind: "Status" } });
    expect(kas.router.calls).toHaveLength(0);
  });

  test.each(["TRACE", "PROPFIND", "PURGE"])("XM11: %s is 405", async (method) => {
    expect(await kas.refusal(PODS, { method })).toMatchObject({
      status: 405,
      kind: "Status",
      headers: { allow: expect.stringContaining("GET") },
    });
    expect(kas.application.seen).toHaveLength(0);
  });

  test("XM11: CONNECT is 405", async () => {
    expect(await raw("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n")).toMatchObject({
      status: 405,
      body: { kind: "Status" },
    });
  });

  test("XM11: OPTIONS beside the prefix is 400, preflight or not", async () => {
    const preflight = { origin: ORIGIN, "access-control-request-method": "GET" };
    expect(await kas.refusal("/other", { method: "OPTIONS", headers: preflight })).toMatchObject({ status: 400 });
    expect(await kas.refusal("*", { method: "OPTIONS", headers: {} })).toMatchObject({ status: 400 });
    expect((await kas.send(PODS, { method: "OPTIONS", headers: preflight })).statusCode).toBe(204);
  });

  test.each([
    ["garbage", "GARBAGE\r\n\r\n", 400],
    ["a header that is too long", `GET ${PODS} HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(40_000)}\r\n\r\n`, 431],
    ["length and chunks", `POST ${PODS} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["two lengths", `POST ${PODS} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`, 400],
    ["a bare line feed", `GET ${PODS} HTTP/1.1\nHost: a\n\n`, 400],
    ["a folded header", `GET ${PODS} HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n`, 400],
    ["a space before the colon", `GET ${PODS} HTTP/1.1\r\nHost : a\r\n\r\n`, 400],
    ["an absolute target", `GET http://evil.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 400],
  ])("XM11, T12: %s is refused with a Status", async (_name, bytes, status) => {
    expect(await raw(bytes)).toMatchObject({ status, body: { kind: "Status", code: status } });
    expect(kas.router.calls).toHaveLength(0);
  });
});

test("M2: a client that left before any answer is counted as 499", async () => {
  kas.router.onRequest = () => undefined;
  const socket = kas.dial();
  socket.write(`GET ${PODS} HTTP/1.1\r\nHost: a\r\nAuthorization: ${PAT.authorization}\r\n\r\n`);
  await until(() => kas.router.calls.length === 1);
  socket.destroy();
  await until(() => kas.answered.length === 1);
  expect(kas.answered).toEqual([499]);
  expect(kas.call().request.signal.aborted).toBe(true);
});

test.each(["h2c", "TLS/1.2", "websocketx"])("M3: a GET that would also speak %s is served", async (protocol) => {
  const answer = await kas.send(PODS, {
    headers: { ...PAT, Connection: "Upgrade, HTTP2-Settings", Upgrade: protocol, "HTTP2-Settings": "AAMAAABk" },
  });
  expect(answer.statusCode).toBe(200);
  expect(await text(answer.body)).toBe("{}");
  expect(kas.requestHead().header).not.toHaveProperty("http2-settings");
});

test.each([
  ["websocket", "websocket"],
  ["spdy/3.1", "SPDY/3.1"],
  ["h2c, WebSocket", "websocket"],
])(
  "T1: an upgrade to %s is requested from the cluster as %s only, and an ordinary response ends the connection",
  async (offered, protocol) => {
    kas.router.onRequest = () => undefined;
    const sent = kas.send(PODS, { headers: { ...PAT, Connection: "Upgrade", Upgrade: offered } });
    await until(() => kas.router.calls.at(-1)?.messages.length === 2);
    expect(kas.requestHead().header).toMatchObject({ Upgrade: { value: [protocol] } });
    kas.call().respond(200);
    kas.call().finish();
    const answer = await sent;
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.connection).toBe("close");
  },
);

describe("what broke after an agent had it", () => {
  test("KS7: a mutation that was cut is 502 with its stage, and was delivered once", async () => {
    kas.router.onRequest = (call) => call.fail(14, "the tunnel broke", "started");
    const refused = await kas.refusal(PODS, { method: "POST", body: "{}" });
    expect(refused).toMatchObject({ status: 502, kind: "Status", reason: "tunnel_broken", stage: "started" });
    expect(refused.headers["kas-attempts"]).toBe("1");
    expect(refused.headers["retry-after"]).toBeUndefined();
    expect(kas.router.calls).toHaveLength(1);
  });

  test("KS7: a mutation without an answer is 502, a read 504, both without Retry-After", async () => {
    kas.router.onRequest = () => undefined;
    const answers = [kas.refusal(PODS, { method: "POST", body: "{}" }), kas.refusal(PODS)];
    await until(() => kas.router.calls.length === 2 && kas.router.calls.every((call) => call.halfClosed));
    // Before the first proof of their rights has a reason to end them.
    for (let part = 0; part < 7; part += 1) {
      await kas.clock.elapse(10_000);
      await kas.answers();
    }
    const [mutation, question] = await Promise.all(answers);
    expect(mutation).toMatchObject({ status: 502, reason: "agent_silent", stage: "started" });
    expect(question).toMatchObject({ status: 504, reason: "agent_silent", stage: "started" });
    for (const answer of [mutation, question]) expect(answer?.headers["retry-after"]).toBeUndefined();
  });

  test("US6: a cluster without an answer is reported, with 504 for a read and 502 for anything else, both as started", async () => {
    kas.router.onRequest = ({ listener }) =>
      listener.end({ code: 14, message: "nothing comes", trailer: new Map(), stage: "started", silent: "cluster" });
    const expected = { kind: "Status", reason: "cluster_silent", stage: "started" };
    expect(await kas.refusal(PODS)).toMatchObject({ ...expected, status: 504 });
    expect(await kas.refusal(PODS, { method: "POST", body: "{}" })).toMatchObject({ ...expected, status: 502 });
    expect(kas.router.calls).toHaveLength(2);
  });

  test.each([
    { value: "6", method: "GET", path: PODS, answerWithinMs: 6_000 },
    { value: "60", method: "POST", path: PODS, answerWithinMs: 60_000 },
    { value: "0", method: "GET", path: PODS, answerWithinMs: undefined },
    { value: "61", method: "GET", path: PODS, answerWithinMs: undefined },
    { value: "1e1", method: "GET", path: PODS, answerWithinMs: undefined },
    { value: "6", method: "GET", path: `${PODS}?watch=1`, answerWithinMs: undefined },
  ])("US6: Kas-Answer-Within: $value on $method $path is for kas alone", async ({ value, method, path, answerWithinMs }) => {
    kas.router.onRequest = (call) => {
      call.respond(200);
      call.finish();
    };
    await kas.refusal(path, { method, headers: { ...PAT, "Kas-Answer-Within": value } }).catch(() => undefined);
    expect(kas.router.calls[0]?.request.context.answerWithinMs).toBe(answerWithinMs);
    expect(kas.requestHead().header).not.toHaveProperty("kas-answer-within");
  });

  test("KS7: a question that was made again says how often", async () => {
    let calls = 0;
    kas.router.onRequest = (call) => {
      calls += 1;
      if (calls < 3) return call.fail(14, "the tunnel broke", "not_started");
      call.respond(200);
      call.finish();
    };
    const answer = await kas.send(PODS);
    expect([answer.statusCode, answer.headers["kas-attempts"]]).toEqual([200, "3"]);
  });

  test("I7: when the agent is away the second time, that is the answer", async () => {
    kas.router.onRequest = (call) => {
      kas.router.failure = new Fault("agent_not_connected", "agent 7 was not connected");
      call.fail(14, "the tunnel broke", "not_started");
    };
    expect(await kas.refusal(PODS)).toMatchObject({ status: 503, reason: "agent_not_connected" });
  });

  test("A8: a question whose agent was killed after it was sent is 502 at once, whatever other tunnels there are", async () => {
    kas.router.onRequest = (call) => call.fail(14, "the tunnel broke", "started");
    expect(await kas.refusal(PODS)).toMatchObject({ status: 502, reason: "tunnel_broken", stage: "started" });
    expect(kas.router.calls).toHaveLength(1);
  });
});

describe("watch budget", () => {
  const WATCH = `${PODS}?watch=true`;

  test("I4: every answer to who may use the agent says it, and a cluster cannot", async () => {
    kas.router.onRequest = (call) => {
      call.respond(200, { "Kas-Agent-Watch-Budget": ["9999;free=9999"] });
      call.finish();
    };
    expect((await kas.send(PODS)).headers).not.toHaveProperty("kas-agent-watch-budget");
    budget = { limit: 100, free: 12 };
    expect((await kas.send(PODS)).headers["kas-agent-watch-budget"]).toBe("100;free=12");
    budget = { limit: 8, free: -3 };
    expect((await kas.send(PODS)).headers["kas-agent-watch-budget"]).toBe("8;free=0");
    kas.router.failure = new Fault("agent_not_connected", "away");
    expect((await kas.refusal(PODS)).headers["kas-agent-watch-budget"]).toBe("8;free=0");
    expect((await kas.refusal(PODS, { headers: {} })).headers).not.toHaveProperty("kas-agent-watch-budget");
  });

  test("I4: of an agent that is elsewhere the kas with its tunnels says it", async () => {
    kas.router.watchBudget = { limit: 20, free: 3 };
    expect((await kas.send(PODS)).headers["kas-agent-watch-budget"]).toBe("20;free=3");
  });

  test("I4: a watch that can be sampled is refused at once beyond the budget; others are not", async () => {
    budget = { limit: 8, free: 0 };
    const refused = await kas.refusal(WATCH, { headers: { ...PAT, "Kas-Watch-Budget": "sample" } });
    expect(refused).toMatchObject({ status: 429, reason: "watch_budget_spent", headers: { "kas-agent-watch-budget": "8;free=0" } });
    expect(kas.router.calls).toHaveLength(0);
    for (const [path, headers] of [
      [WATCH, PAT],
      [PODS, { ...PAT, "Kas-Watch-Budget": "sample" }],
    ] as const)
      expect((await kas.send(path, { headers })).statusCode).toBe(200);
    budget = { limit: 8, free: 1 };
    expect((await kas.send(WATCH, { headers: { ...PAT, "Kas-Watch-Budget": "sample" } })).statusCode).toBe(200);
  });

  test("KS8, I4: a watch towards an agent that is not ours lasts 120 s at most", async () => {
    kas.router.agentIsOurs = false;
    await kas.send(`${WATCH}&timeoutSeconds=599&resourceVersion=5`);
    expect(kas.requestHead().query).toMatchObject({ timeoutSeconds: { value: ["120"] }, resourceVersion: { value: ["5"] } });
    kas.router.agentIsOurs = true;
    await kas.send(`${WATCH}&timeoutSeconds=599`);
    expect(kas.requestHead().query).toMatchObject({ timeoutSeconds: { value: ["599"] } });
  });
});
