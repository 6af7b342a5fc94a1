import { Fault, systemClock } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { startMainApplication, type FakeMainApplication } from "./testing/fake-main-application.ts";
import { AgentInfoLookup } from "./agent-info-lookup.ts";
import { ProxyAuthorizer, type UserCredential } from "./proxy-authorizer.ts";
import type { RefusalRecorder } from "./refused-credentials.ts";

const TTL = { okMs: 60_000, refusedMs: 10_000 };
const never = new AbortController().signal;

let main: FakeMainApplication;
let authorizer: ProxyAuthorizer;
beforeEach(async () => {
  main = await startMainApplication();
  authorizer = new ProxyAuthorizer(main.client(), systemClock, { users: TTL, jobs: TTL });
});
afterEach(() => main.close());

const COOKIE: UserCredential = { kind: "session_cookie", accessKey: "cookie", csrfToken: "csrf" };
const USER = { agent: { id: 7, config_project: { id: 3 } }, user: { id: 1, username: "ada" } };

test("a user is looked up by cookie with its CSRF token, or by access token", async () => {
  main.answer = () => ({ status: 200, body: USER });
  await authorizer.user(7n, COOKIE, { signal: never });
  await authorizer.user(7n, { kind: "personal_access_token", accessKey: "pat" }, { signal: never });
  expect(main.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    [
      "POST",
      "/api/v4/internal/kubernetes/authorize_proxy_user",
      { agent_id: 7, access_type: "session_cookie", access_key: "cookie", csrf_token: "csrf" },
    ],
    ["POST", "/api/v4/internal/kubernetes/authorize_proxy_user", { agent_id: 7, access_type: "personal_access_token", access_key: "pat" }],
  ]);
});

test("the access mode of the user is passed on unchecked", async () => {
  const access = { user: { projects: [{ id: 3, roles: ["developer"] }] } };
  main.answer = () => ({ status: 200, body: { ...USER, access_as: access } });
  expect((await authorizer.user(7n, COOKIE, { signal: never })).access_as).toEqual(access);
});

test("one answer serves the same user, agent and CSRF token, no other", async () => {
  main.answer = () => ({ status: 200, body: USER });
  await authorizer.user(7n, COOKIE, { signal: never });
  await authorizer.user(7n, COOKIE, { signal: never });
  expect(main.seen).toHaveLength(1);
  await authorizer.user(8n, COOKIE, { signal: never });
  await authorizer.user(7n, { ...COOKIE, csrfToken: "other" }, { signal: never });
  await authorizer.user(7n, { ...COOKIE, accessKey: "other" }, { signal: never });
  await authorizer.user(7n, { kind: "personal_access_token", accessKey: "cookie" }, { signal: never });
  expect(main.seen).toHaveLength(5);
});

test.each([{ ...USER, user: { id: 1, username: "" } }, { user: USER.user }, [], "ada"])("the answer %j is not believed", async (body) => {
  main.answer = () => ({ status: 200, body: JSON.stringify(body) });
  await expect(authorizer.user(7n, COOKIE, { signal: never })).rejects.toMatchObject({ reason: "main_application_unavailable" });
});

test("a job is looked up by its token, and missing parts have their defaults", async () => {
  main.answer = () => ({
    status: 200,
    body: {
      allowed_agents: [{ id: 7, config_project: { id: 3 }, configuration: { access_as: { impersonate: { username: "bot" } } } }],
      job: { id: 1 },
      pipeline: { id: 2 },
      project: { id: 3 },
      user: { id: 4, username: "ada" },
    },
  });
  const allowed = await authorizer.job("job-token", { signal: never });
  expect(main.seen[0]).toMatchObject({ method: "GET", url: "/api/v4/job/allowed_agents", headers: { "job-token": "job-token" } });
  expect(allowed.allowed_agents[0]?.configuration?.access_as).toEqual({ impersonate: { username: "bot" } });
  expect(allowed.project.groups).toEqual([]);
});

test("an agent is known by its token, and the answer is kept", async () => {
  const lookup = new AgentInfoLookup(main.client(), systemClock, TTL);
  const repository = { storage_name: "default", relative_path: "a.git", gl_repository: "project-3", gl_project_path: "shop/app" };
  main.answer = () => ({
    status: 200,
    body: {
      project_id: 3,
      agent_id: 7,
      agent_name: "demo",
      gitaly_info: { address: "tcp://127.0.0.1:1", token: "t", features: null },
      gitaly_repository: repository,
    },
  });
  const info = await lookup.authenticate("bearer agent-token", never);
  await lookup.authenticate("Bearer agent-token", never);
  expect(info).toMatchObject({ agentId: 7n, projectId: 3n, agentName: "demo", source: { defaultBranch: "", gitaly: { features: {} } } });
  expect(main.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer agent-token"]);
});

test.each([undefined, "", "Basic abc", "Bearer", "Bearer a b"])(
  "the authorization %j is no token, and there is no query",
  async (authorization) => {
    const lookup = new AgentInfoLookup(main.client(), systemClock, TTL);
    await expect(lookup.authenticate(authorization, never)).rejects.toMatchObject({ reason: "token_missing" });
    expect(main.seen).toHaveLength(0);
  },
);

test("KS4, XS10, T23: a proof takes no answer older than it says, for users and jobs", async () => {
  const clock = new ManualClock();
  authorizer = new ProxyAuthorizer(main.client({ clock }), clock, { users: TTL, jobs: TTL });
  main.answer = ({ url }) =>
    url.includes("allowed_agents")
      ? {
          status: 200,
          body: { allowed_agents: [], job: { id: 1 }, pipeline: { id: 2 }, project: { id: 3 }, user: { id: 4, username: "ada" } },
        }
      : { status: 200, body: USER };
  const proof = { signal: never, maxAgeMs: 20_000 };
  await authorizer.user(7n, COOKIE, { signal: never });
  await authorizer.job("job-token", { signal: never });
  clock.advance(20_000);
  await authorizer.user(7n, COOKIE, proof);
  await authorizer.job("job-token", proof);
  expect(main.seen).toHaveLength(2);
  main.answer = () => ({ status: 401 });
  clock.advance(1);
  await expect(authorizer.user(7n, COOKIE, proof)).rejects.toMatchObject({ reason: "token_unknown" });
  await expect(authorizer.job("job-token", proof)).rejects.toMatchObject({ reason: "token_unknown" });
  await expect(authorizer.user(7n, COOKIE, { signal: never })).rejects.toMatchObject({ reason: "token_unknown" });
});

test("XM10: credentials of more than 4 KiB are rejected without a query", async () => {
  const long = "x".repeat(4 * 1024 + 1);
  const asking = { signal: never };
  const lookup = new AgentInfoLookup(main.client(), systemClock, TTL);
  const refused = { reason: "token_unknown" };
  await expect(lookup.authenticate(`Bearer ${long}`, never)).rejects.toMatchObject(refused);
  await expect(authorizer.user(7n, { kind: "personal_access_token", accessKey: long }, asking)).rejects.toMatchObject(refused);
  await expect(authorizer.user(7n, { ...COOKIE, csrfToken: long }, asking)).rejects.toMatchObject(refused);
  await expect(authorizer.job(long, asking)).rejects.toMatchObject(refused);
  expect(main.seen).toHaveLength(0);
});

test("XM13: refused agents, users and jobs are counted, also when the answer was cached", async () => {
  const seen: unknown[] = [];
  const refusals: RefusalRecorder = {
    watch: (shown, look) =>
      look().catch((error: unknown) => {
        seen.push([shown.kind, shown.address, error instanceof Fault && error.reason]);
        throw error;
      }),
  };
  main.answer = () => ({ status: 401 });
  const lookup = new AgentInfoLookup(main.client(), systemClock, { ...TTL, refusals });
  authorizer = new ProxyAuthorizer(main.client(), systemClock, { users: TTL, jobs: TTL, refusals });
  const asking = { signal: never, address: "192.0.2.1" };
  for (let round = 0; round < 2; round += 1)
    await Promise.allSettled([
      lookup.authenticate("Bearer x", never, { address: "192.0.2.2" }),
      authorizer.user(7n, COOKIE, asking),
      authorizer.job("x", asking),
    ]);
  expect(new Set(seen.map((entry) => JSON.stringify(entry)))).toEqual(
    new Set([
      '["agent_token","192.0.2.2","token_unknown"]',
      '["session_cookie","192.0.2.1","token_unknown"]',
      '["job_token","192.0.2.1","token_unknown"]',
    ]),
  );
  expect(seen).toHaveLength(6);
  expect(main.seen).toHaveLength(3);
});
