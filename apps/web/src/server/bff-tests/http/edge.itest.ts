import { ProblemKind, type Dashboard } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { Code, ConnectError, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createBff, type Bff } from "../../bff.ts";
import { dashboardClient, DashboardTab, NAMES } from "../../testing/dashboard-tab.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { StandInKas } from "../../kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../../gitlab/testing/stand-in-main-application.ts";

const CLIENT = "203.0.113.9";
let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let refused: string[];
let leave: AbortController;

beforeEach(async () => {
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  for (const user of ["maintainer", "developer"]) {
    main.sessions.set(`session-${user}`, user);
    main.tokens.set(`glpat-${user}`, user);
    kas.allowed.add(user);
  }
  refused = [];
  const config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  const metrics = { refused: (reason: string) => void refused.push(reason) };
  bff = createBff({ config, clock: systemClock, log: createLogger("web", "silent"), metrics });
  leave = new AbortController();
});

afterEach(async () => {
  leave.abort();
  await bff.close();
  await kas.close();
  await main.close();
});

function clientWith(cookie: string): Client<typeof Dashboard> {
  return dashboardClient(bff, { origin: ORIGIN, cookie, "x-forwarded-for": CLIENT });
}

function signIn(token: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ token });
  return bff.session(
    new Request(`${ORIGIN}/api/session/token`, {
      method: "POST",
      body,
      headers: { origin: ORIGIN, "x-forwarded-for": CLIENT, ...headers },
    }),
  );
}

async function sessionOf(token: string): Promise<string> {
  return (await signIn(token)).headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function signOut(cookie: string): Promise<void> {
  await bff.session(new Request(`${ORIGIN}/api/session`, { method: "DELETE", headers: { cookie, origin: ORIGIN } }));
}

/** How a tab's stream ended: the code, or "ended" without a reason. */
function endOf(tab: DashboardTab): Promise<string> {
  return tab.ended.then(
    () => "ended",
    (error: unknown) => Code[ConnectError.from(error).code],
  );
}

describe("XM5: signing out", () => {
  test("XM5: every live stream of the session ends at once and says why, those of others go on", async () => {
    const session = await sessionOf("glpat-developer");
    const second = await sessionOf("glpat-developer");
    const tabs = [clientWith(session), clientWith(session)].map((client) => new DashboardTab(client, leave.signal));
    const other = new DashboardTab(clientWith(second), leave.signal);
    const maintainer = new DashboardTab(clientWith("_gitlab_session=session-maintainer"), leave.signal);
    await Promise.all([...tabs, other, maintainer].map((tab) => tab.until((now) => now.isComplete())));
    const ends = tabs.map(endOf);
    await signOut(session);
    expect(await Promise.all(ends)).toEqual(["Unauthenticated", "Unauthenticated"]);
    const sent = tabs.map((tab) => tab.messages.length);
    kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "late" } });
    await other.until((now) => now.nodes.size === 1);
    await maintainer.until((now) => now.nodes.size === 1);
    expect(tabs.map((tab) => tab.messages.length)).toEqual(sent);
  });

  test("XM5: the index ends too, and a client with the old cookie has no session", async () => {
    const session = await sessionOf("glpat-developer");
    const rows = clientWith(session).watchEnvironments({ projectPath: "group/app" }, { signal: leave.signal });
    let messages = 0;
    const ended = (async () => {
      for await (const _message of rows) if ((messages += 1) === 1) await signOut(session);
    })();
    await expect(ended).rejects.toMatchObject({ code: Code.Unauthenticated });
    const back = new DashboardTab(clientWith(session), leave.signal);
    await back.ended;
    expect(back.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
  });

  test("XM5: signing in again in the same browser ends what ran under the session before", async () => {
    const session = await sessionOf("glpat-developer");
    const tab = new DashboardTab(clientWith(session), leave.signal);
    await tab.until((now) => now.isComplete());
    const end = endOf(tab);
    expect((await signIn("glpat-maintainer", { cookie: session })).status).toBe(200);
    expect(await end).toBe("Unauthenticated");
  });
});

test("KS3: while the dashboard leaves, streams end as something to come back from, and calls are answered", async () => {
  const client = clientWith("_gitlab_session=session-developer");
  const tabs = [new DashboardTab(client, leave.signal), new DashboardTab(client, leave.signal)];
  await Promise.all(tabs.map((tab) => tab.until((now) => now.isComplete())));
  const ends = tabs.map(endOf);
  bff.drain();
  expect(await Promise.all(ends)).toEqual(["Unavailable", "Unavailable"]);
  expect((await client.listProjects({})).viewer?.username).toBe("developer");
});

describe("XM7, T14: calls of one viewer", () => {
  test("XM7: of a hundred streams of one session forty run; the others are rejected at once, counted, and get a Retry-After", async () => {
    const session = "_gitlab_session=session-developer";
    const tabs = Array.from({ length: 100 }, () => new DashboardTab(clientWith(session), leave.signal));
    const ends: unknown[] = [];
    for (const tab of tabs) void tab.ended.catch((error: unknown) => ends.push(error));
    await until(() => ends.length >= 60);
    expect(refused).toEqual(Array.from({ length: 60 }, () => "session_streams"));
    for (const error of ends) {
      const { code, metadata } = ConnectError.from(error);
      expect([code, metadata.get("binnacle-reason"), metadata.get("retry-after")]).toEqual([Code.ResourceExhausted, "rate_limited", "5"]);
    }
    const answer = await clientWith("_gitlab_session=session-maintainer").listProjects({});
    expect(answer.viewer?.username).toBe("maintainer");
  });

  test("XM7: a client that closes a stream may open another", async () => {
    const session = "_gitlab_session=session-developer";
    const closing = new AbortController();
    const tabs = Array.from({ length: 40 }, () => new DashboardTab(clientWith(session), closing.signal));
    await Promise.all(tabs.map((tab) => tab.until((now) => now.messages.length > 0)));
    closing.abort();
    await Promise.all(tabs.map((tab) => tab.ended));
    // The server hears of it a moment later: until then one more is one too many.
    let there = false;
    while (!there) {
      const tab = new DashboardTab(clientWith(session), leave.signal);
      const refusal = tab.ended.then(
        () => false,
        () => false,
      );
      there = await Promise.race([tab.until((now) => now.isComplete()).then(() => true), refusal]);
    }
    expect(there).toBe(true);
  });

  test("XM7: many sessions of one viewer together have eighty streams", async () => {
    for (let index = 0; index < 3; index += 1) main.sessions.set(`many-${index}`, "developer");
    const ends: unknown[] = [];
    for (let index = 0; index < 3; index += 1) {
      for (let count = 0; count < 30; count += 1) {
        const tab = new DashboardTab(clientWith(`_gitlab_session=many-${index}`), leave.signal);
        void tab.ended.catch((error: unknown) => ends.push(error));
      }
    }
    await until(() => ends.length >= 10);
    expect(refused).toEqual(Array.from({ length: 10 }, () => "viewer_streams"));
  });

  test("XM7: unary calls have a limit of their own, so that full streams do not close the drawer", async () => {
    const client = clientWith("_gitlab_session=session-developer");
    // No call is answered before the last of them has come.
    const answer = main.hold();
    const asking = Array.from({ length: 100 }, () => client.listProjects({}));
    const settled = Promise.allSettled(asking);
    await until(() => refused.length >= 68);
    answer();
    const calls = await settled;
    const failures = calls.flatMap((call) => (call.status === "rejected" ? [ConnectError.from(call.reason)] : []));
    expect(failures).toHaveLength(68);
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set([Code.ResourceExhausted]));
    expect(new Set(failures.map(({ metadata }) => metadata.get("retry-after")))).toEqual(new Set(["1"]));
    expect((await client.listProjects({})).viewer?.username).toBe("developer");
  });
});

describe("W16: limits of the sign-in, and who asks", () => {
  test("W16: made-up tokens are rejected with a reason and a time, and the main application receives no more queries", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => signIn(`made-up-${index}`)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(30);
    expect(await limited[0]?.json()).toMatchObject({
      reason: "rate_limited",
      message: expect.stringMatching(/^Too many attempts/) as string,
    });
    expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(main.requests).toHaveLength(20);
    expect(refused).toEqual(Array.from({ length: 30 }, () => "sign_in_client"));
  });

  test("W16: in the middle of such a storm a token that signed in before still does", async () => {
    await sessionOf("glpat-developer");
    await Promise.all(Array.from({ length: 200 }, (_, index) => signIn(`made-up-${index}`)));
    expect((await signIn("glpat-developer")).status).toBe(200);
  });

  test.each(["_gitlab_session=session-maintainer", "token"])("W16: kas and the main application hear for whom we ask (%s)", async (way) => {
    const cookie = way === "token" ? await sessionOf("glpat-maintainer") : way;
    const tab = new DashboardTab(clientWith(cookie), leave.signal);
    await tab.until((now) => now.isComplete());
    const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "none" };
    await expect(clientWith(cookie).getResource({ ...NAMES, ref })).rejects.toMatchObject({ code: Code.NotFound });
    expect([...kas.clients, ...main.clients]).toEqual([CLIENT, CLIENT]);
  });
});

describe("XS8, T25: where a sign-in leads", () => {
  test.each(["/..//evil.example/phish", "/%2e//evil.example", "/p/..//..//evil.example", "/\t/evil.example", "/\\evil.example"])(
    "XS8: neither a form nor the start of a sign-in leads to %j",
    async (path) => {
      const body = new URLSearchParams({ token: "glpat-developer", return_to: path });
      const form = await bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin: ORIGIN } }));
      expect(form.status).toBe(303);
      expect(new URL(form.headers.get("location") ?? "", ORIGIN).origin).toBe(ORIGIN);
      const start = await bff.session(new Request(`${ORIGIN}/api/session/start?${new URLSearchParams({ return_to: path })}`));
      const returnTo = new URL(start.headers.get("location") ?? "").searchParams.get("return_to");
      expect(new URL(returnTo ?? "").origin).toBe(ORIGIN);
      expect(new URL(bff.signInUrl(path)).searchParams.get("return_to")).toMatch(new RegExp(`^${ORIGIN}/`));
    },
  );
});
