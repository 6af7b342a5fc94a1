import { systemClock, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Credential } from "../main-application/credential.ts";
import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";
import { GitlabMainApplication } from "./gitlab.ts";

const DOOR = { projectPath: "group/app", environmentNumber: "7", agentId: 3n };
const NAMES = { projectPath: "group/app", environment: "production" };

let standIn: StandInMainApplication;
let dialer: HttpDialer;
let gitlab: GitlabMainApplication;
let nowMs: number;
const signal = new AbortController().signal;

beforeEach(async () => {
  standIn = new StandInMainApplication();
  dialer = new HttpDialer({ internalUrl: await standIn.listen(), externalUrl: "http://app.localhost:8080" });
  nowMs = 1_000_000;
  const clock: Clock = { ...systemClock, now: () => nowMs };
  gitlab = new GitlabMainApplication(dialer, { names: new CredentialNames(), clock });
});

afterEach(async () => {
  await dialer.close();
  await standIn.close();
});

function open(credential: Credential): ViewerAccess {
  return gitlab.open({ credential });
}

function cookieAccess(): ViewerAccess {
  standIn.sessions.set("s1", "maintainer");
  return open({ way: "cookie", sessionCookie: new Secret("s1") });
}

describe("the cookie way", () => {
  test("loads the project's page, asks GraphQL with its token, and takes the kas cookie from the environment's page", async () => {
    const access = cookieAccess();
    const { viewer, environment } = await access.environment(NAMES, signal);
    expect(viewer.username).toBe("maintainer");
    expect(environment).toMatchObject({ number: "7", namespace: "prod", tier: "production", agent: { id: 3n, name: "demo" } });
    const headers = await access.kasHeaders(DOOR, { renew: false, signal });
    expect(standIn.kasCookies.get((headers?.["cookie"] ?? "").replace("_gitlab_kas=", ""))).toBe("s1");
    expect(standIn.isCsrfToken("s1", headers?.["x-csrf-token"] ?? "")).toBe(true);
    expect(headers?.["gitlab-agent-id"]).toBe("3");
    expect(headers).not.toHaveProperty("authorization");
    expect(standIn.requests).toEqual(["GET /group/app", "POST /api/graphql", "GET /group/app/-/environments/7"]);
  });

  test("dials the internal address and names the public host", async () => {
    await cookieAccess().viewer(signal);
    expect([...standIn.hosts]).toEqual(["app.localhost:8080"]);
  });

  test("keeps both tokens for five minutes and then renews them", async () => {
    const access = cookieAccess();
    const first = await access.kasHeaders(DOOR, { renew: false, signal });
    nowMs += 4 * 60_000;
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual(first);
    nowMs += 2 * 60_000;
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).not.toEqual(first);
  });

  test("ten renewals at the same time load one page", async () => {
    const access = cookieAccess();
    await Promise.all(Array.from({ length: 10 }, () => access.kasHeaders(DOOR, { renew: true, signal })));
    expect(standIn.requests).toEqual(["GET /group/app/-/environments/7"]);
  });

  test("a CSRF token that has expired is renewed once, without the viewer noticing", async () => {
    const access = cookieAccess();
    await access.viewer(signal);
    standIn.expireTokens();
    expect((await access.viewer(signal)).username).toBe("maintainer");
  });

  test("a session that has ended is distinguished from a main application that is unavailable", async () => {
    const access = cookieAccess();
    standIn.sessions.clear();
    await expect(access.viewer(signal)).rejects.toMatchObject({ reason: "session_ended" });
    standIn.broken = 502;
    await expect(access.viewer(signal)).rejects.toMatchObject({ reason: "main_application_unavailable" });
  });

  test("an old kas cookie is used while the main application is away", async () => {
    const access = cookieAccess();
    const first = await access.kasHeaders(DOOR, { renew: false, signal });
    nowMs += 6 * 60_000;
    standIn.broken = 503;
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual(first);
  });

  test.each([429, 500, 503])("a page that answers %d with the layout of all pages ends no session", async (status) => {
    const access = cookieAccess();
    standIn.troubledPages = status;
    await expect(access.kasHeaders(DOOR, { renew: false, signal })).rejects.toMatchObject({ reason: "main_application_unavailable" });
    await expect(access.viewer(signal)).rejects.toMatchObject({ reason: "main_application_unavailable" });
    standIn.troubledPages = undefined;
    // After 429 nothing is sent for a while.
    nowMs += 30_000;
    const first = await access.kasHeaders(DOOR, { renew: false, signal });
    nowMs += 6 * 60_000;
    standIn.troubledPages = status;
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual(first);
  });
});

describe("the token way", () => {
  test("uses the token for both doors, loads no page and has nothing to renew", async () => {
    standIn.tokens.set("glpat-1", "developer");
    const access = open({ way: "token", token: new Secret("glpat-1") });
    expect((await access.environment(NAMES, signal)).viewer.username).toBe("developer");
    expect(await access.kasHeaders(DOOR, { renew: false, signal })).toEqual({ authorization: "Bearer pat:3:glpat-1" });
    expect(await access.kasHeaders(DOOR, { renew: true, signal })).toBeUndefined();
    expect(standIn.requests).toEqual(["POST /api/graphql"]);
  });

  test("an unknown project or environment is not found", async () => {
    standIn.tokens.set("glpat-1", "developer");
    const access = open({ way: "token", token: new Secret("glpat-1") });
    await expect(access.environment({ ...NAMES, environment: "nope" }, signal)).rejects.toMatchObject({ reason: "not_found" });
    await expect(access.environment({ ...NAMES, projectPath: "x/y" }, signal)).rejects.toMatchObject({ reason: "not_found" });
  });
});
