import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { GitlabMainApplication } from "./gitlab.ts";
import {
  missingFields,
  recordedEnvironment,
  RecordedGitlab,
  type RecordedAnswer,
  type RecordedRequest,
} from "./testing/recorded-gitlab.ts";

const NAMES = { projectPath: "group/app", environment: "production" };
const DOOR = { projectPath: "group/app", environmentNumber: "7", agentId: 3n };
const USER = { id: "gid://gitlab/User/1", username: "ann", name: "Ann" };
const signal = new AbortController().signal;

let recorded: RecordedGitlab;
let dialer: HttpDialer;
let gitlab: GitlabMainApplication;
let clock: ManualClock;

beforeEach(async () => {
  recorded = new RecordedGitlab();
  const url = await recorded.listen();
  dialer = new HttpDialer({ internalUrl: url, externalUrl: "https://gitlab.example.com" });
  clock = new ManualClock();
  gitlab = new GitlabMainApplication(dialer, { names: new CredentialNames(), clock });
});

afterEach(async () => {
  await dialer.close();
  await recorded.close();
});

function byToken(token = "glpat-1"): ViewerAccess {
  return gitlab.open({ credential: { way: "token", token: new Secret(token) } });
}

function bySession(): ViewerAccess {
  return gitlab.open({ credential: { way: "cookie", sessionCookie: new Secret("s1") } });
}

const data = (project: unknown, more: object = {}): RecordedAnswer => ({ body: { data: { currentUser: USER, project }, ...more } });
const one = (environment: unknown, more: object = {}): RecordedAnswer => data({ fullPath: "group/app", environment }, more);
const environment = recordedEnvironment(7, "production");

describe("what GitLab gives instead of data is one state with a sentence", () => {
  const HTML = "<!DOCTYPE html>\n<html><head><title>GitLab</title></head><body>Whoops</body></html>";
  const states: readonly (readonly [what: string, answer: RecordedAnswer, reason: string, words: string, sentence: RegExp])[] = [
    [
      "429",
      { status: 429, headers: { "retry-after": "17" }, body: "Retry later\n" },
      "main_application_unavailable",
      "main-application/rate-limited",
      /in 17 s$/,
    ],
    [
      "500 with JSON",
      { status: 500, body: { errors: [{ message: "Internal server error" }] } },
      "main_application_unavailable",
      "main-application/server-error",
      /status 500/,
    ],
    [
      "502 with an error page",
      { status: 502, headers: { "content-type": "text/html" }, body: HTML },
      "main_application_unavailable",
      "main-application/server-error",
      /status 502/,
    ],
    [
      "a page with 200",
      { headers: { "content-type": "text/html" }, body: HTML },
      "main_application_unavailable",
      "main-application/page",
      /web page instead of data/,
    ],
    [
      "a redirect to the sign-in",
      { status: 302, headers: { location: "https://gitlab.example.com/users/sign_in" } },
      "session_ended",
      "problem/session-ended",
      /sign in/i,
    ],
    [
      "a redirect to a group's identity provider",
      { status: 302, headers: { location: "/groups/group/-/saml/sso" } },
      "session_ended",
      "problem/session-ended",
      /sign in/i,
    ],
    [
      "a redirect to another host",
      { status: 302, headers: { location: "https://id.example.com/authorize" } },
      "session_ended",
      "problem/session-ended",
      /sign in/i,
    ],
    [
      "a redirect to https",
      { status: 301, headers: { location: "https://gitlab.example.com/api/graphql" } },
      "main_application_unavailable",
      "main-application/redirect",
      /web\.yaml/,
    ],
    [
      "a token without the scope",
      { status: 403, body: { error: "insufficient_scope", scope: "api read_api" } },
      "session_ended",
      "main-application/no-scope",
      /read_api/,
    ],
    [
      "an unknown token",
      { status: 401, body: { errors: [{ message: "Invalid token" }] } },
      "session_ended",
      "problem/session-ended",
      /sign in/i,
    ],
    [
      "JSON that breaks off",
      { body: '{"data":{"currentUser":{"username":"an' },
      "main_application_unavailable",
      "main-application/not-readable",
      /broke off/,
    ],
    ["nothing", { body: "" }, "main_application_unavailable", "main-application/not-readable", /broke off/],
    [
      "JSON of another shape",
      { body: { data: { currentUser: USER, project: { fullPath: 7 } } } },
      "main_application_unavailable",
      "main-application/shape",
      /unknown shape/,
    ],
    [
      "errors without data",
      { body: { errors: [{ message: "Timeout" }] } },
      "main_application_unavailable",
      "main-application/no-data",
      /gave no data/,
    ],
    [
      "a query that is too complex",
      { body: { errors: [{ message: "Query has complexity of 301, which exceeds max complexity of 250" }] } },
      "main_application_unavailable",
      "main-application/too-complex",
      /too complex/,
    ],
    [
      "more than 8 MiB",
      { body: { data: { currentUser: USER, project: null, padding: "x".repeat(9 * 1024 * 1024) } } },
      "main_application_unavailable",
      "main-application/too-large",
      /larger than is read/,
    ],
    ["a status of a proxy", { status: 407 }, "main_application_unavailable", "main-application/status", /407/],
  ];
  const named = states.map(([what, answer, ...expected]) => ({ what, answer, expected }));
  test.each(named)("$what", async ({ answer, expected: [reason, id, sentence] }) => {
    recorded.answer = () => answer;
    const failure = byToken().environment(NAMES, signal);
    await expect(failure).rejects.toMatchObject({ reason, words: { id }, message: expect.stringMatching(sentence) });
    // It passes: nothing of it is remembered for other viewers.
    recorded.answer = () => one(environment);
    expect((await byToken("glpat-2").environment(NAMES, signal)).environment.name).toBe("production");
  });
});

describe("rate limits (429 with Retry-After)", () => {
  async function seconds(header: string | undefined): Promise<string> {
    recorded.answer = () => ({ status: 429, ...(header === undefined ? {} : { headers: { "retry-after": header } }) });
    return byToken(`glpat-${header}`)
      .viewer(signal)
      .then(
        () => "",
        (error: unknown) => (error as Error).message.replace(/.* in /, ""),
      );
  }

  test("a credential sends nothing for that time, and others do", async () => {
    expect(await seconds("17")).toBe("17 s");
    recorded.answer = () => one(environment);
    clock.advance(10_000);
    await expect(byToken("glpat-17").environment(NAMES, signal)).rejects.toThrow(/in 7 s$/);
    expect(recorded.requests).toHaveLength(1);
    await byToken("glpat-other").environment(NAMES, signal);
    clock.advance(7_000);
    await byToken("glpat-17").environment(NAMES, signal);
    expect(recorded.requests).toHaveLength(3);
  });

  test("any form of the header is a time of ten minutes at most", async () => {
    expect(await seconds("0")).toBe("1 s");
    expect(await seconds("999999999")).toBe("600 s");
    expect(await seconds(new Date(clock.now() + 42_000).toUTCString())).toMatch(/^4[12] s$/);
    expect(await seconds("soon")).toBe("30 s");
    expect(await seconds(undefined)).toBe("30 s");
  });

  test("a page that is over the limit ends no session, and the cookie for kas is used meanwhile", async () => {
    const page = { headers: { "set-cookie": "_gitlab_kas=k1; path=/; HttpOnly" }, body: '<meta name="csrf-token" content="t1" />' };
    recorded.answer = () => page;
    const access = bySession();
    const first = await access.kasHeaders(DOOR, { renew: false, signal });
    clock.advance(6 * 60_000);
    recorded.answer = () => ({ status: 429, headers: { "retry-after": "60" }, body: page.body });
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual(first);
  });
});

describe("fields that an instance lacks", () => {
  /** An instance that rejects queries with these fields, by all of their names at once, as graphql-ruby does. */
  function lacking(...fields: readonly string[]): void {
    const names = new Map(fields.map((field) => [field, new RegExp(`\\b${field.split(".")[1]}\\b`)]));
    recorded.answer = ({ query }) => {
      const used = fields.filter((field) => names.get(field)?.test(query) === true);
      if (used.length > 0) return missingFields(...used);
      const left = Object.entries(environment).filter(([name]) => query.includes(name));
      return one(Object.fromEntries(left));
    };
  }

  test.each([
    ["Environment.kubernetesNamespace", { namespace: "", agent: { id: 3n } }],
    ["Environment.clusterAgent", { agentsNotReported: true, agent: undefined, namespace: "prod" }],
    ["Environment.lastDeployment", { deployment: { kind: "not-supported" }, agent: { id: 3n } }],
    ["Deployment.tag", { deployment: { kind: "none" } }],
    ["ClusterAgent.connections", { agent: { id: 3n, lastSeenAt: "2026-01-01T00:05:00Z" } }],
    ["ClusterAgent.tokens", { agent: { id: 3n } }],
  ])("without %s the rest is there", async (field, record) => {
    lacking(field);
    expect((await byToken().environment(NAMES, signal)).environment).toMatchObject({ name: "production", ...record });
  });

  test("GitLab 16.0 is queried twice the first time, once after that, and for everything again after ten minutes", async () => {
    lacking("Environment.clusterAgent", "Environment.kubernetesNamespace");
    await byToken().environment(NAMES, signal);
    expect(recorded.requests).toHaveLength(2);
    await byToken("glpat-2").environment(NAMES, signal);
    expect(recorded.requests).toHaveLength(3);
    clock.advance(10 * 60_000);
    recorded.answer = () => one(environment);
    expect((await byToken().environment(NAMES, signal)).environment).toMatchObject({ namespace: "prod", agent: { name: "demo" } });
    expect(recorded.requests).toHaveLength(4);
  });

  test("a field without which nothing is of use is no endless loop", async () => {
    recorded.answer = () => missingFields("Environment.name");
    await expect(byToken().environment(NAMES, signal)).rejects.toMatchObject({ words: { id: "main-application/no-data" } });
    expect(recorded.requests.length).toBeLessThanOrEqual(2);
  });

  test("fields of a later version in an answer are ignored", async () => {
    recorded.answer = () => one({ ...environment, ofTomorrow: { a: 1 } }, { extensions: { correlationId: "x" } });
    expect((await byToken().environment(NAMES, signal)).environment.name).toBe("production");
  });
});

describe("pages of a connection", () => {
  const TOO_COMPLEX = { body: { errors: [{ message: "Query has complexity of 260, which exceeds max complexity of 250" }] } };

  /** An instance with so many environments; pages beyond `most` are too complex. */
  function instanceWith(count: number, most = 100): (request: RecordedRequest) => RecordedAnswer {
    return ({ variables }) => {
      const { first, after } = variables;
      if (Number(first) > most) return TOO_COMPLEX;
      const from = Number(after ?? 0);
      const until = Math.min(count, from + Number(first));
      const nodes = Array.from({ length: until - from }, (_, index) => recordedEnvironment(from + index + 1, `review/${from + index}`));
      return data({ fullPath: "group/app", environments: { nodes, pageInfo: { hasNextPage: until < count, endCursor: String(until) } } });
    };
  }

  test("250 environments come in three pages, each once", async () => {
    recorded.answer = instanceWith(250);
    const { environments } = await byToken().environments("group/app", signal);
    expect(new Set(environments.map(({ number }) => number)).size).toBe(250);
    expect(recorded.requests.map(({ variables }) => [variables["first"], variables["after"]])).toEqual([
      [100, null],
      [100, "100"],
      [100, "200"],
    ]);
  });

  test("an instance for which a page is too complex gets smaller ones, also the next time", async () => {
    recorded.answer = instanceWith(45, 20);
    for (let time = 0; time < 2; time += 1) expect((await byToken().environments("group/app", signal)).environments).toHaveLength(45);
    expect(recorded.requests.map(({ variables }) => variables["first"])).toEqual([100, 20, 20, 20, 20, 20, 20]);
  });

  test("one for which small pages are too complex says so, and gets no third query", async () => {
    recorded.answer = () => TOO_COMPLEX;
    await expect(byToken().environments("group/app", signal)).rejects.toMatchObject({ words: { id: "main-application/too-complex" } });
    expect(recorded.requests).toHaveLength(2);
  });

  test("2,000 entries are read at most, and an empty page is the last", async () => {
    recorded.answer = instanceWith(5_000);
    expect((await byToken().environments("group/app", signal)).environments).toHaveLength(2_000);
    recorded.answer = () => data({ fullPath: "group/app", environments: { nodes: [], pageInfo: { hasNextPage: true, endCursor: "x" } } });
    expect((await byToken().environments("group/app", signal)).environments).toEqual([]);
    recorded.answer = () => ({
      body: { data: { currentUser: USER, projects: { nodes: [], pageInfo: { hasNextPage: true, endCursor: "x" } } } },
    });
    expect((await byToken().projects(signal)).projects).toEqual([]);
  });
});

test("an answer with data and errors is used, and a deployment that failed is not one that is not there", async () => {
  const errors = [{ message: "14:Connections to all backends failing", path: ["project", "environment", "lastDeployment", "commit"] }];
  recorded.answer = () => one(environment, { errors });
  expect((await byToken().environment(NAMES, signal)).environment).toMatchObject({
    agent: { id: 3n },
    deployment: { kind: "not-readable" },
  });
});

describe("credentials as documented", () => {
  test.each([
    ['<meta name="csrf-token" content="to+k/en==" />'],
    ["<meta content='to+k/en==' name='csrf-token'>"],
    ['<META NAME="csrf-token" CONTENT="to+k/en==">'],
  ])("the session's cookie gets the token of a page and the cookie of an environment's page: %s", async (meta) => {
    const cookie =
      "_gitlab_kas=eyJ%2Fx%3D%3D--ab; domain=example.com; path=/k8s-proxy; expires=Thu, 01 Jan 2099 00:00:00 GMT; secure; HttpOnly; SameSite=None";
    recorded.answer = ({ path }) =>
      path === "/api/graphql"
        ? one(environment)
        : { headers: { "set-cookie": ["_gitlab_session=new; path=/", cookie] }, body: `<head>${meta}</head>` };
    const access = bySession();
    await access.environment(NAMES, signal);
    const [page, graphql] = recorded.requests;
    expect([page?.path, page?.headers.cookie]).toEqual(["/group/app", "_gitlab_session=s1"]);
    expect([graphql?.headers["x-csrf-token"], graphql?.headers.cookie, graphql?.headers.authorization]).toEqual([
      "to+k/en==",
      "_gitlab_session=s1",
      undefined,
    ]);
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual({
      cookie: "_gitlab_kas=eyJ%2Fx%3D%3D--ab",
      "x-csrf-token": "to+k/en==",
      "gitlab-agent-id": "3",
    });
  });

  test("a personal access token is a bearer token, and `pat:` with the agent's id at the k8s-proxy", async () => {
    recorded.answer = () => one(environment);
    const access = byToken();
    await access.environment(NAMES, signal);
    expect(recorded.requests.map(({ headers, path }) => [path, headers.authorization, headers.cookie])).toEqual([
      ["/api/graphql", "Bearer glpat-1", undefined],
    ]);
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual({ authorization: "Bearer pat:3:glpat-1" });
  });
});
