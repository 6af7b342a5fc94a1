import { ProblemKind } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import type { Organization } from "@binnacle/organization";
import { createLogger, Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "../../bff.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { organizationOf, PASSWORD } from "../../standalone/testing/organization-of-test.ts";
import { StandInUserTokens, WEB_SECRET } from "../../standalone/testing/stand-in-user-tokens.ts";
import { dashboardClient } from "../../testing/dashboard-tab.ts";

let files: { current: Organization };
let kas: StandInUserTokens;
let clock: ManualClock;
let bff: Bff;
let leave: AbortController;
beforeEach(async () => {
  clock = new ManualClock(Date.now());
  leave = new AbortController();
  files = { current: await organizationOf(["alice", "bob"]) };
  kas = await StandInUserTokens.start(() => files.current);
  const config = standInConfig({ mainApplication: kas.url, kas: kas.url });
  const secret = { file: "web-secret", content: new Secret(WEB_SECRET), digest: "" };
  bff = createBff({
    config: { ...config, main_application: { ...config.main_application, provider: "standalone", web_secret_file: secret } },
    clock,
    log: createLogger("web", "silent"),
    organization: files,
    metrics: { refused: () => undefined },
  });
});
afterEach(async () => {
  leave.abort();
  await bff.close();
  await kas.stop();
});

function post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const all = { origin: ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json", ...headers };
  return bff.session(new Request(`${ORIGIN}/api/session/password`, { method: "POST", headers: all, body }));
}
const signIn = (username: string, password: string, headers?: Readonly<Record<string, string>>) =>
  post(JSON.stringify({ username, password }), headers);
const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const clientOf = (cookie: string) => dashboardClient(bff, { origin: ORIGIN, cookie });

test("a user signs in with a password and sees their projects and environments", async () => {
  const answer = await signIn("alice", PASSWORD);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ username: "alice" });
  const cookie = cookieOf(answer);
  const session = await bff.session(new Request(`${ORIGIN}/api/session`, { headers: { cookie } }));
  expect(await session.json()).toMatchObject({ way: "password", signIn: "password" });
  const projects = await clientOf(cookie).listProjects({});
  expect(projects.projects.map(({ fullPath }) => fullPath)).toEqual(["group/app"]);
});

test("T78: a wrong password and an unknown user are one answer, by one check of a password each", async () => {
  const answers = [await signIn("alice", "wrong"), await signIn("mallory", PASSWORD)];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  const [one, other] = await Promise.all(answers.map((answer) => answer.text()));
  expect(one).toBe(other);
  expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
  expect(kas.requests).toEqual(["alice signs in", "mallory signs in"]);
});

test("T78: after twenty attempts in a minute a client waits, and kas checks no more passwords of it", async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await signIn(`user-${attempt}`, "wrong", { "x-forwarded-for": "192.0.2.7" });
    clock.advance(1_000);
  }
  const answer = await signIn("alice", PASSWORD, { "x-forwarded-for": "192.0.2.7" });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  expect(kas.requests).toHaveLength(20);
});

test.each([
  ["no JSON", "x"],
  ["without a password", JSON.stringify({ username: "alice" })],
  ["with an empty password", JSON.stringify({ username: "alice", password: "" })],
  ["with a password of megabytes", JSON.stringify({ username: "alice", password: "x".repeat(2_000) })],
])("a body that is %s is refused without a request to kas", async (_, body) => {
  expect((await post(body)).status).toBe(400);
  expect(kas.requests).toEqual([]);
});

test("T78: a page of another origin cannot sign in", async () => {
  expect((await signIn("alice", PASSWORD, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect(kas.requests).toEqual([]);
});

test("a form without scripts leads to the page that was wanted, and never elsewhere", async () => {
  const form = (returnTo: string) =>
    post(new URLSearchParams({ username: "alice", password: PASSWORD, return_to: returnTo }).toString(), {
      "content-type": "application/x-www-form-urlencoded",
    });
  const answer = await form("/p/group/app");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/p/group/app"]);
  expect((await form("//evil.example")).headers.get("location")).toBe("/");
});

test("a token of GitLab is not accepted", async () => {
  const headers = { origin: ORIGIN, "content-type": "application/json" };
  const request = new Request(`${ORIGIN}/api/session/token`, { method: "POST", headers, body: JSON.stringify({ token: "glpat-1" }) });
  expect((await bff.session(request)).status).toBe(401);
});

test("without a session a page leads to our own sign-in", () => {
  expect(bff.signInUrl("/p/group/app")).toBe(`${ORIGIN}/sign-in?return_to=%2Fp%2Fgroup%2Fapp`);
});

test("T80: a user who is removed from the files loses a stream within a minute, and others keep theirs", async () => {
  const open = async (user: string) => {
    const client = clientOf(cookieOf(await signIn(user, PASSWORD)));
    const seen = { messages: 0, problem: undefined as ProblemKind | undefined, isOver: false };
    void (async () => {
      const stream = client.watchEnvironments({ projectPath: "group/app", visible: [] }, { signal: leave.signal });
      try {
        for await (const { problem } of stream) {
          seen.messages += 1;
          seen.problem = problem?.kind;
        }
      } catch (error) {
        // The test is over.
        if (!leave.signal.aborted) throw error;
      }
      seen.isOver = true;
    })();
    await clock.advanceUntil(() => seen.messages > 0);
    return seen;
  };
  const [alice, bob] = [await open("alice"), await open("bob")];
  files.current = await organizationOf(["bob"]);
  const begunAtMs = clock.now();
  await clock.advanceUntil(() => alice.isOver);
  expect(clock.now() - begunAtMs).toBeLessThanOrEqual(60_000);
  expect(alice.problem).toBe(ProblemKind.UNAUTHENTICATED);
  expect(bob.isOver).toBe(false);
});
