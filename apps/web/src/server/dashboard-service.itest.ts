import { ConnectionState, HealthStatus, ProblemKind, type Dashboard } from "@binnacle/proto/dashboard";
import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { Code, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createBff, type Bff } from "./bff.ts";
import type { WebConfig } from "./config.ts";
import { dashboardClient, DashboardTab, NAMES, ORIGIN } from "./testing/dashboard-tab.ts";
import { HELP, standInConfig } from "./testing/stand-in-config.ts";
import { StandInKas } from "./testing/stand-in-kas.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let config: WebConfig;
let leave: AbortController;

beforeEach(async () => {
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  for (const user of ["maintainer", "developer", "outsider"]) {
    main.sessions.set(`session-${user}`, user);
    main.tokens.set(`glpat-${user}`, user);
    if (user !== "outsider") kas.allowed.add(user);
  }
  config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  bff = createBff({ config, clock: systemClock, log: createLogger("web", "silent"), metrics: { refused: () => undefined } });
  leave = new AbortController();
});

afterEach(async () => {
  leave.abort();
  await bff.close();
  await kas.close();
  await main.close();
});

/** A browser's client with this cookie, straight into the BFF. */
function clientWith(cookie: string, headers: Record<string, string> = { origin: ORIGIN }): Client<typeof Dashboard> {
  return dashboardClient(bff, { ...headers, cookie });
}

/** A tab that leaves when the test is over. */
function open(client: Client<typeof Dashboard>, signal: AbortSignal = leave.signal): DashboardTab {
  return new DashboardTab(client, signal);
}

function pod(name: string): Record<string, unknown> & { metadata: { name: string } } {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {},
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  };
}

describe("WatchEnvironment", () => {
  test.each([
    ["cookie", "_gitlab_session=session-maintainer"],
    ["token", ""],
  ])("streams a live environment, the %s way", async (way, cookie) => {
    kas.put("pods", pod("first"));
    const tab = open(clientWith(way === "cookie" ? cookie : await tokenCookie("maintainer")));
    await tab.until((now) => now.nodes.size === 1 && now.isComplete());
    const snapshot = tab.messages.find(({ message }) => message.case === "snapshot")?.message;
    expect(snapshot?.case === "snapshot" && snapshot.value.viewer).toMatchObject({
      username: "maintainer",
      clusterUsername: "gitlab:user:maintainer",
    });
    kas.put("pods", pod("second"));
    await tab.until((now) => now.nodes.size === 2);
    expect([...tab.nodes.values()].map((node) => node.health?.status)).toEqual([HealthStatus.HEALTHY, HealthStatus.HEALTHY]);
    expect([...kas.hosts]).toEqual(["kas.app.localhost:8154"]);
    expect(kas.requests.every((request) => request.startsWith("maintainer "))).toBe(true);
  });

  test("two tabs of one user share every watch, another user shares none", async () => {
    const first = open(clientWith("_gitlab_session=session-maintainer"));
    await first.until((now) => now.isComplete());
    await until(() => kas.watches.size === 4);
    const second = open(clientWith(await tokenCookie("maintainer")));
    await second.until((now) => now.isComplete());
    expect(kas.watches.size).toBe(4);
    const other = open(clientWith("_gitlab_session=session-developer"));
    await other.until((now) => now.isComplete());
    await until(() => kas.watches.size === 8);
    expect(kas.watchesOf("developer")).toEqual(kas.watchesOf("maintainer"));
  });

  test("when the credential that carries the watches leaves, they move to the other tab's without a second list", async () => {
    kas.put("pods", pod("first"));
    const closing = new AbortController();
    const carrier = open(clientWith("_gitlab_session=session-maintainer"), closing.signal);
    await carrier.until((now) => now.isComplete());
    const staying = open(clientWith(await tokenCookie("maintainer")));
    await staying.until((now) => now.isComplete());
    await until(() => kas.watches.size === 4);
    const lists = (): number => kas.requests.filter((request) => request === "maintainer GET /api/v1/namespaces/prod/pods").length;
    const before = lists();
    closing.abort();
    await carrier.ended;
    await until(() => lists() === before + 1 && kas.watches.size === 4);
    kas.put("pods", pod("second"));
    await staying.until((now) => now.nodes.size === 2);
    // The one more is the watch that moved: a list and a watch have the same path here.
    expect(lists()).toBe(before + 1);
  });

  test("the outsider gets the blueprint's message, word for word, and the stream ends", async () => {
    const tab = open(clientWith("_gitlab_session=session-outsider"));
    await tab.ended;
    expect(tab.problem).toMatchObject({
      kind: ProblemKind.AGENT_FORBIDDEN,
      message: `You don't have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See ${HELP}`,
      detail: "Agent demo of group/app, project group/app, signed in as outsider",
      link: HELP,
    });
    expect(tab.messages.some(({ message }) => message.case === "snapshot")).toBe(false);
  });

  test("a session that has ended leads to the sign-in and back", async () => {
    main.sessions.delete("session-maintainer");
    for (const cookie of ["_gitlab_session=session-maintainer", ""]) {
      const tab = open(clientWith(cookie));
      await tab.ended;
      const link = new URL(tab.problem?.link ?? "");
      expect(tab.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
      expect(`${link.origin}${link.pathname}`).toBe("http://app.localhost:8080/users/sign_in");
      expect(link.searchParams.get("return_to")).toBe(`${ORIGIN}/p/group/app/environments/production`);
    }
  });

  test("an empty environment says so when it is complete, in the blueprint's words", async () => {
    const tab = open(clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => now.isComplete());
    const empty = tab.messages.flatMap(({ message }) =>
      message.case === "delta" || message.case === "snapshot" ? (message.value.empty ?? []) : [],
    );
    expect(empty).toMatchObject([
      {
        message: `There are no resources found for the environment. Do resources have Example preserved labels? See ${HELP}`,
        detail: "Namespace prod",
        link: HELP,
      },
    ]);
  });

  test("without an agent, and without the environment, it says which", async () => {
    main.environments = [{ id: 7, name: "production", namespace: "prod", agentId: 0 }];
    const bare = open(clientWith("_gitlab_session=session-maintainer"));
    await bare.ended;
    expect(bare.problem?.kind).toBe(ProblemKind.NO_AGENT);
    main.environments = [];
    const gone = open(clientWith("_gitlab_session=session-maintainer"));
    await gone.ended;
    expect(gone.problem?.kind).toBe(ProblemKind.NOT_FOUND);
  });

  test("an agent that is away is shown as such and the view recovers by itself", async () => {
    kas.offline = true;
    kas.put("pods", pod("first"));
    const tab = open(clientWith("_gitlab_session=session-maintainer"));
    const states = (now: DashboardTab): (ConnectionState | undefined)[] =>
      now.messages.flatMap(({ message }) =>
        message.case === "snapshot" || message.case === "delta" ? (message.value.connection?.state ?? []) : [],
      );
    await tab.until((now) => states(now).includes(ConnectionState.AGENT_OFFLINE));
    kas.offline = false;
    await tab.until((now) => now.nodes.size === 1);
    kas.offline = true;
    kas.cut();
    await tab.until((now) => states(now).at(-1) === ConnectionState.AGENT_OFFLINE);
    expect(tab.nodes.size).toBe(1);
    kas.offline = false;
    await tab.until((now) => states(now).at(-1) === ConnectionState.CONNECTED);
  });

  test.each([
    ["whose project left the agent's configuration gets the blueprint's message", ProblemKind.AGENT_FORBIDDEN],
    ["whose session has ended is told to sign in", ProblemKind.UNAUTHENTICATED],
  ])("a viewer %s, though no watch has broken", async (_title, kind) => {
    await bff.close();
    // Forty seconds between two proofs would be long for a test.
    const fast: Clock = { now: () => systemClock.now(), after: (ms, action) => systemClock.after(ms / 50, action) };
    bff = createBff({ config, clock: fast, log: createLogger("web", "silent"), metrics: { refused: () => undefined } });
    const tab = open(clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => now.isComplete());
    if (kind === ProblemKind.AGENT_FORBIDDEN) kas.allowed.clear();
    else {
      main.sessions.clear();
      main.expireTokens();
    }
    await tab.ended;
    expect(tab.problem?.kind).toBe(kind);
  });

  test("a broken agent configuration is told beside the data", async () => {
    kas.configurationError = "line 3: unknown key; last-good=abc";
    const tab = open(clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) =>
      now.messages.some(
        ({ message }) =>
          (message.case === "snapshot" || message.case === "delta") && message.value.configurationError?.lastGoodCommit === "abc",
      ),
    );
    expect(tab.problem).toBeUndefined();
  });
});

describe("the other calls", () => {
  test("GetResource gives YAML, conditions and events, and masks a Secret", async () => {
    kas.put("secrets", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", managedFields: [{}] } as { name: string },
      data: { password: "c2VjcmV0" },
    });
    kas.put("pods", pod("p"));
    kas.put("events", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      type: "Warning",
      reason: "Failed",
      message: "no image",
      count: 3,
      lastTimestamp: "2026-01-01T00:00:00Z",
    });
    const client = clientWith("_gitlab_session=session-maintainer");
    const secret = await client.getResource({
      ...NAMES,
      ref: { version: "v1", kind: "Secret", resource: "secrets", namespace: "prod", name: "s" },
    });
    expect(secret.yaml).toContain("password:");
    expect(secret.yaml).not.toMatch(/c2VjcmV0|managedFields/);
    const detail = await client.getResource({
      ...NAMES,
      ref: { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "p" },
    });
    expect(detail.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
    expect(detail.events).toMatchObject([{ reason: "Failed", count: 3 }]);
  });

  test("GetResource refuses other namespaces, the outsider and what does not exist, each with its own code", async () => {
    const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "p" };
    const maintainer = clientWith("_gitlab_session=session-maintainer");
    await expect(maintainer.getResource({ ...NAMES, ref: { ...ref, namespace: "kube-system" } })).rejects.toMatchObject({
      code: Code.NotFound,
    });
    await expect(maintainer.getResource({ ...NAMES, ref })).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'pods "p" not found',
    });
    await expect(clientWith("_gitlab_session=session-outsider").getResource({ ...NAMES, ref })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(clientWith("").getResource({ ...NAMES, ref })).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("ListProjects names the viewer and the projects", async () => {
    expect(await clientWith("_gitlab_session=session-developer").listProjects({})).toMatchObject({
      viewer: { username: "developer" },
      projects: [{ fullPath: "group/app" }],
    });
  });

  test("WatchEnvironments gives rows with numbers, and a row without for who may not see", async () => {
    kas.put("deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", generation: 1 } as { name: string },
      spec: { replicas: 1 },
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    for await (const { rows } of clientWith("_gitlab_session=session-maintainer").watchEnvironments(
      { projectPath: "group/app" },
      { signal: leave.signal },
    )) {
      const [row] = rows;
      if (row?.health === undefined || row.workloads === 0) continue;
      expect(row).toMatchObject({
        environment: { name: "production" },
        workloads: 1,
        workloadsReady: 1,
        health: { status: HealthStatus.HEALTHY },
      });
      break;
    }
    for await (const { rows } of clientWith("_gitlab_session=session-outsider").watchEnvironments(
      { projectPath: "group/app" },
      { signal: leave.signal },
    )) {
      if (rows[0]?.problem === undefined) continue;
      expect(rows[0].problem.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
      break;
    }
  });

  test("T8: a foreign page gets nothing, whatever cookie its visitor has", async () => {
    const cookie = "_gitlab_session=session-maintainer";
    await expect(clientWith(cookie, { origin: "http://evil.example" }).listProjects({})).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    expect(main.requests).toEqual([]);
  });
});

describe("token sessions", () => {
  test("the cookie holds a random id, never the token, and signing out ends it", async () => {
    const cookie = await tokenCookie("developer");
    expect(cookie).not.toContain("glpat");
    expect(bff.hasSession(cookie)).toBe(true);
    const out = await bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "DELETE", headers: { cookie, origin: ORIGIN } }));
    expect(out.status).toBe(204);
    expect(bff.hasSession(cookie)).toBe(false);
  });

  test("an unknown token is 401, a malformed body 400, a foreign origin 403", async () => {
    const post = async (body: string, origin = ORIGIN): Promise<number> =>
      (await bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin } }))).status;
    expect(await post('{"token":"glpat-nobody"}')).toBe(401);
    expect(await post('{"token":"a\\r\\nb"}')).toBe(400);
    expect(await post("token")).toBe(400);
    expect(await post('{"token":"glpat-developer"}', "http://evil.example")).toBe(403);
  });

  test("signs in by a form without scripts and returns to a path of our own only", async () => {
    const body = new URLSearchParams({ token: "glpat-developer", return_to: "//evil.example/" });
    const answer = await bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin: ORIGIN } }));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/");
    expect(answer.headers.get("set-cookie")).toMatch(/^_binnacle_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
  });
});

async function tokenCookie(user: string): Promise<string> {
  const body = JSON.stringify({ token: `glpat-${user}` });
  const answer = await bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin: ORIGIN } }));
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}
