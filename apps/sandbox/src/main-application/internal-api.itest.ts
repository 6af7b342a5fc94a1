import { afterEach, beforeEach, expect, test } from "vitest";

import { FixtureBrowser, startApplicationFixture, type ApplicationFixture } from "./application.fixture.ts";

const BASE = "/api/v4/internal/kubernetes";
const CONFIGURATION = {
  user_access: { access_as: { user: {} }, projects: [{ id: "group/app" }] },
  ci_access: { projects: [{ id: "group/app", default_namespace: "production", access_as: { ci_job: {} } }] },
};

let fixture: ApplicationFixture;
beforeEach(async () => {
  fixture = await startApplicationFixture();
});
afterEach(() => fixture.close());

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(fixture.url + BASE + path, { method: "POST", headers: await fixture.kasHeaders(), body: JSON.stringify(body) });
}

async function authorize(username: string): Promise<Response> {
  return post("/authorize_proxy_user", { agent_id: 1, access_type: "personal_access_token", access_key: `glpat-${username}` });
}

test("an agent token gives agent, project and repository, and is remembered as used", async () => {
  const headers = { ...(await fixture.kasHeaders()), authorization: "Bearer glagent-demo" };
  const answer = await fetch(`${fixture.url}${BASE}/agent_info`, { headers });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toMatchObject({
    agent_id: 1,
    agent_name: "demo",
    project_id: 1,
    gitaly_repository: { relative_path: "group/app.git" },
  });
  expect(fixture.app.world.agentTokens(1)[0]?.lastUsedAt).toBeInstanceOf(Date);
  expect((await fetch(`${fixture.url}${BASE}/agent_info`, { headers: { ...headers, authorization: "Bearer nope" } })).status).toBe(401);
});

test("an agent reads where its own project and public ones are, by path or id; a private one is hidden as one that is not there is", async () => {
  const headers = { ...(await fixture.kasHeaders()), authorization: "Bearer glagent-demo" };
  const ask = (id: string, more: object = {}): Promise<Response> =>
    fetch(`${fixture.url}${BASE}/project_info?${new URLSearchParams({ id })}`, { headers: { ...headers, ...more } });
  for (const id of ["group/app", "1"])
    expect(await (await ask(id)).json()).toMatchObject({
      project_id: 1,
      gitaly_repository: { relative_path: "group/app.git", gl_project_path: "group/app" },
      default_branch: "main",
    });
  expect(await (await ask("group/open")).json()).toMatchObject({ project_id: 2 });
  const hidden = await ask("group/hidden");
  const absent = await ask("group/absent");
  expect([hidden.status, absent.status]).toEqual([404, 404]);
  expect(await hidden.text()).toBe(await absent.text());
  expect((await ask("group/app", { authorization: "Bearer nope" })).status).toBe(401);
});

test("without kas's JWT, or with a foreign or expired one, everything is 401", async () => {
  for (const headers of [{}, await fixture.kasHeaders({ issuer: "gitlab" }), await fixture.kasHeaders({ expiresIn: "-1s" })]) {
    const answer = await fetch(`${fixture.url}${BASE}/agent_info`, { headers: { ...headers, authorization: "Bearer glagent-demo" } });
    expect(answer.status).toBe(401);
  }
});

test("no user may use the agent before its configuration was reported, and roles are cumulative afterwards", async () => {
  expect((await authorize("maintainer")).status).toBe(403);
  expect((await post("/agent_configuration", { agent_id: 1, agent_config: CONFIGURATION })).status).toBe(204);
  expect(await (await authorize("maintainer")).json()).toEqual({
    agent: { id: 1, config_project: { id: 1 } },
    user: { id: 1, username: "maintainer" },
    access_as: { user: { projects: [{ id: 1, roles: ["reporter", "developer", "maintainer"] }], groups: [] } },
  });
  expect(await (await authorize("developer")).json()).toMatchObject({
    access_as: { user: { projects: [{ roles: ["reporter", "developer"] }] } },
  });
  expect((await authorize("outsider")).status).toBe(403);
  expect((await authorize("stranger")).status).toBe(401);
});

test("access as the agent names no project", async () => {
  await post("/agent_configuration", {
    agent_id: 1,
    agent_config: { userAccess: { accessAs: { agent: {} }, projects: [{ id: "group/app" }] } },
  });
  expect(await (await authorize("developer")).json()).toMatchObject({ access_as: { agent: {} } });
});

test("a configuration without the project takes the access away", async () => {
  await post("/agent_configuration", { agent_id: 1, agent_config: CONFIGURATION });
  expect((await authorize("maintainer")).status).toBe(200);
  await post("/agent_configuration", { agent_id: 1, agent_config: {} });
  expect((await authorize("maintainer")).status).toBe(403);
});

test("the session cookie for kas counts only with that session's CSRF token, and survives revoked tokens", async () => {
  await post("/agent_configuration", { agent_id: 1, agent_config: CONFIGURATION });
  const browser = new FixtureBrowser(fixture.url);
  await browser.signIn("developer");
  const csrf = await browser.csrfToken("/group/app/-/environments/1");
  expect((await fetch(`${fixture.url}/-/sandbox/revoke-tokens`, { method: "POST" })).status).toBe(204);
  const key = decodeURIComponent(browser.cookies.get("_gitlab_kas") ?? "");
  const ask = (csrfToken: string, accessKey = key): Promise<Response> =>
    post("/authorize_proxy_user", { agent_id: 1, access_type: "session_cookie", access_key: accessKey, csrf_token: csrfToken });
  expect(await (await ask(csrf)).json()).toMatchObject({ user: { username: "developer" } });
  const other = new FixtureBrowser(fixture.url);
  await other.signIn("developer");
  expect((await ask(await other.csrfToken("/group/app"))).status).toBe(401);
  expect((await ask(csrf, "forged--AAAA--BBBB")).status).toBe(401);
  expect((await authorize("developer")).status).toBe(401);
});

test("agents' tokens are revoked and restored", async () => {
  const headers = { ...(await fixture.kasHeaders()), authorization: "Bearer glagent-demo" };
  const ask = (): Promise<Response> => fetch(`${fixture.url}${BASE}/agent_info`, { headers });
  const change = (what: string): Promise<Response> => fetch(`${fixture.url}/-/sandbox/${what}-agent-tokens`, { method: "POST" });
  expect((await ask()).status).toBe(200);
  expect((await change("revoke")).status).toBe(204);
  expect((await ask()).status).toBe(401);
  await change("restore");
  expect((await ask()).status).toBe(200);
});

test("a page in a browser cannot revoke the tokens", async () => {
  const answer = await fetch(`${fixture.url}/-/sandbox/revoke-tokens`, { method: "POST", headers: { origin: "http://127.0.0.1:3000" } });
  expect(answer.status).toBe(403);
  expect(fixture.app.world.userByToken("glpat-developer")).toBeDefined();
});

test("a job sees the agents whose ci_access lists its project", async () => {
  const ask = (token: string): Promise<Response> => fetch(`${fixture.url}/api/v4/job/allowed_agents`, { headers: { "job-token": token } });
  // It is an agent of the job's own project.
  expect(await (await ask("job-token")).json()).toMatchObject({ allowed_agents: [{ id: 1, configuration: { access_as: { agent: {} } } }] });
  await post("/agent_configuration", { agent_id: 1, agent_config: CONFIGURATION });
  expect(await (await ask("job-token")).json()).toEqual({
    allowed_agents: [{ id: 1, config_project: { id: 1 }, configuration: { default_namespace: "production", access_as: { ci_job: {} } } }],
    job: { id: 5 },
    pipeline: { id: 6 },
    project: { id: 1, groups: [{ id: 9 }] },
    user: { id: 1, username: "maintainer", roles_in_project: ["reporter", "developer", "maintainer"] },
    environment: { slug: "production", tier: "production" },
  });
  expect((await ask("nope")).status).toBe(401);
});
