import { ConnectionState, HealthStatus, ProblemKind } from "@binnacle/proto/dashboard";
import { systemClock, type Clock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { messageText } from "../ui/messages.ts";
import { DashboardTab, NAMES } from "./testing/dashboard-tab.ts";
import { DashboardWorld } from "./testing/dashboard-world.ts";
import { pod } from "./testing/pod.ts";
import { ORIGIN, HELP } from "./config/testing/stand-in-config.ts";

let world: DashboardWorld;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  world.start();
});

afterEach(() => world.close());

/** Connections in the order in which they were sent. */
function states({ messages }: DashboardTab): ConnectionState[] {
  return messages.flatMap(({ message }) => {
    if (message.case === "connection") return message.value.state;
    return message.case === "snapshot" || message.case === "delta" ? (message.value.connection?.state ?? []) : [];
  });
}

describe("WatchEnvironment", () => {
  test.each([
    ["cookie", "_gitlab_session=session-maintainer"],
    ["token", ""],
  ])("streams a live environment, the %s way", async (way, cookie) => {
    world.kas.put("pods", pod("first"));
    const tab = world.open(world.clientWith(way === "cookie" ? cookie : await world.tokenCookie("maintainer")));
    await tab.until((now) => now.nodes.size === 1 && now.isComplete());
    const viewers = tab.messages.flatMap(({ message }) => (message.case === "header" ? (message.value.viewer ?? []) : []));
    expect(viewers.at(-1)).toMatchObject({ username: "maintainer", clusterUsername: "gitlab:user:maintainer" });
    world.kas.put("pods", pod("second"));
    await tab.until((now) => now.nodes.size === 2);
    expect([...tab.nodes.values()].map((node) => node.health?.status)).toEqual([HealthStatus.HEALTHY, HealthStatus.HEALTHY]);
    expect([...world.kas.hosts]).toEqual(["kas.app.localhost:8154"]);
    expect(world.kas.requests.every((request) => request.startsWith("maintainer "))).toBe(true);
  });

  test("two tabs of one user share every watch, another user shares none", async () => {
    const first = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await first.until((now) => now.isComplete());
    await until(() => world.kas.watches.size === 4);
    const second = world.open(world.clientWith(await world.tokenCookie("maintainer")));
    await second.until((now) => now.isComplete());
    expect(world.kas.watches.size).toBe(4);
    const other = world.open(world.clientWith("_gitlab_session=session-developer"));
    await other.until((now) => now.isComplete());
    await until(() => world.kas.watches.size === 8);
    expect(world.kas.watchesOf("developer")).toEqual(world.kas.watchesOf("maintainer"));
  });

  test("W15: a browser that comes back is sent what it has missed, and the connection as it is now", async () => {
    for (let index = 0; index < 50; index += 1) world.kas.put("pods", pod(`pod-${index}`));
    const client = world.clientWith("_gitlab_session=session-maintainer");
    const closing = new AbortController();
    const before = world.open(client, closing.signal);
    await before.until((now) => now.nodes.size === 50 && now.isComplete());
    closing.abort();
    await before.ended;
    world.kas.put("pods", pod("late"));
    const back = new DashboardTab(client, world.signal, { after: before.position });
    await back.until((now) => now.nodes.size > 0);
    expect(back.messages.map(({ message }) => message.case)).not.toContain("snapshot");
    expect([...back.nodes.values()].map(({ ref }) => ref?.name)).toEqual(["late"]);
    expect(states(back).at(-1)).toBe(ConnectionState.CONNECTED);
  });

  test("W15: a browser that comes back to another view is sent everything", async () => {
    world.kas.put("pods", pod("first"));
    const other = world.open(world.clientWith("_gitlab_session=session-developer"));
    await other.until((now) => now.nodes.size === 1 && now.isComplete());
    const tab = new DashboardTab(world.clientWith("_gitlab_session=session-maintainer"), world.signal, { after: other.position });
    await tab.until((now) => now.nodes.size === 1 && now.isComplete());
    expect(tab.messages.map(({ message }) => message.case)).toContain("snapshot");
  });

  test("when the credential that carries the watches leaves, they move to the other tab's without a second list", async () => {
    world.kas.put("pods", pod("first"));
    const closing = new AbortController();
    const carrier = world.open(world.clientWith("_gitlab_session=session-maintainer"), closing.signal);
    await carrier.until((now) => now.isComplete());
    const staying = world.open(world.clientWith(await world.tokenCookie("maintainer")));
    await staying.until((now) => now.isComplete());
    await until(() => world.kas.watches.size === 4);
    const lists = (): number => world.kas.requests.filter((request) => request === "maintainer GET /api/v1/namespaces/prod/pods").length;
    const before = lists();
    closing.abort();
    await carrier.ended;
    await until(() => lists() === before + 1 && world.kas.watches.size === 4);
    world.kas.put("pods", pod("second"));
    await staying.until((now) => now.nodes.size === 2);
    // The one more is the watch that moved: a list and a watch have the same path here.
    expect(lists()).toBe(before + 1);
  });

  test("the outsider gets the blueprint's message, word for word, and the stream ends", async () => {
    const tab = world.open(world.clientWith("_gitlab_session=session-outsider"));
    await tab.ended;
    expect(tab.problem).toMatchObject({ kind: ProblemKind.AGENT_FORBIDDEN, link: HELP });
    expect([messageText(tab.problem?.words), messageText(tab.problem?.details)]).toEqual([
      `You don't have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See ${HELP}`,
      "Project group/app, agent demo of group/app, signed in as outsider",
    ]);
    expect(tab.messages.some(({ message }) => message.case === "snapshot")).toBe(false);
  });

  test("a session that has ended leads to the sign-in and back", async () => {
    world.main.sessions.delete("session-maintainer");
    for (const cookie of ["_gitlab_session=session-maintainer", ""]) {
      const tab = world.open(world.clientWith(cookie));
      await tab.ended;
      const link = new URL(tab.problem?.link ?? "");
      expect(tab.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
      expect(`${link.origin}${link.pathname}`).toBe("http://app.localhost:8080/users/sign_in");
      expect(link.searchParams.get("return_to")).toBe(`${ORIGIN}/p/group/app/environments/production`);
    }
  });

  test("an empty environment says so when it is complete, in the blueprint's words", async () => {
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => now.isComplete());
    const empty = tab.messages.flatMap(({ message }) =>
      message.case === "delta" || message.case === "snapshot" ? (message.value.empty ?? []) : [],
    );
    expect(empty.map(({ words, details, link }) => [messageText(words), messageText(details), link])).toEqual([
      [`There are no resources found for the environment. Do resources have Example preserved labels? See ${HELP}`, "Namespace prod", HELP],
    ]);
  });

  test("without an agent, and without the environment, it says which", async () => {
    world.main.environments = [{ id: 7, name: "production", namespace: "prod", agentId: 0 }];
    const bare = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await bare.ended;
    expect(bare.problem?.kind).toBe(ProblemKind.NO_AGENT);
    world.main.environments = [];
    const gone = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await gone.ended;
    expect(gone.problem?.kind).toBe(ProblemKind.NOT_FOUND);
  });

  test("an agent that is away is shown as such and the view recovers by itself", async () => {
    world.kas.offline = true;
    world.kas.put("pods", pod("first"));
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => states(now).includes(ConnectionState.AGENT_OFFLINE));
    world.kas.offline = false;
    await tab.until((now) => now.nodes.size === 1);
    world.kas.offline = true;
    world.kas.cut();
    await tab.until((now) => states(now).at(-1) === ConnectionState.AGENT_OFFLINE);
    expect(tab.nodes.size).toBe(1);
    world.kas.offline = false;
    await tab.until((now) => states(now).at(-1) === ConnectionState.CONNECTED);
  });

  test("W4: while nothing is known of the cluster the stream brings whose view it is and the connection, never a snapshot", async () => {
    world.kas.offline = true;
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => states(now).filter((state) => state === ConnectionState.AGENT_OFFLINE).length > 1);
    expect(tab.messages[0]?.message).toMatchObject({ case: "header", value: { environment: { name: "production" } } });
    expect(new Set(tab.messages.map(({ message }) => message.case))).toEqual(new Set(["header", "connection", "delivery"]));
  });

  test("US6: a kas that does not answer is distinguished from an agent that is offline", async () => {
    await world.kas.close();
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => states(now).includes(ConnectionState.KAS_UNREACHABLE));
    expect(states(tab)).not.toContain(ConnectionState.AGENT_OFFLINE);
  });

  test.each([
    ["whose project left the agent's configuration gets the blueprint's message", ProblemKind.AGENT_FORBIDDEN],
    ["whose session has ended has to sign in", ProblemKind.UNAUTHENTICATED],
  ])("a viewer %s, though no watch has broken", async (_title, kind) => {
    // Forty seconds between two proofs would be long for a test.
    const fast: Clock = { now: () => systemClock.now(), after: (ms, action) => systemClock.after(ms / 50, action) };
    await world.restart(fast);
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) => now.isComplete());
    if (kind === ProblemKind.AGENT_FORBIDDEN) world.kas.allowed.clear();
    else {
      world.main.sessions.clear();
      world.main.expireTokens();
    }
    await tab.ended;
    expect(tab.problem?.kind).toBe(kind);
  });

  test("a broken agent configuration is sent beside the data", async () => {
    world.kas.configurationError = "line 3: unknown key; last-good=abc";
    const tab = world.open(world.clientWith("_gitlab_session=session-maintainer"));
    await tab.until((now) =>
      now.messages.some(
        ({ message }) =>
          (message.case === "snapshot" || message.case === "delta") && message.value.configurationError?.lastGoodCommit === "abc",
      ),
    );
    expect(tab.problem).toBeUndefined();
  });
});

describe("Watch", () => {
  const environment = { case: "environment", value: NAMES } as const;
  const environments = { case: "environments", value: { projectPath: NAMES.projectPath } } as const;

  test("W3: one stream carries environments and the index, each message with its topic", async () => {
    world.kas.put("pods", pod("first"));
    const client = world.clientWith("_gitlab_session=session-maintainer");
    const seen = new Map<string, number>();
    const topics = [
      { id: 7, topic: environment },
      { id: 8, topic: environment },
      { id: 9, topic: environments },
    ];
    for await (const { topic, message } of client.watch({ topics }, { signal: world.signal })) {
      seen.set(`${topic} ${message.case}`, (seen.get(`${topic} ${message.case}`) ?? 0) + 1);
      if (seen.size === 3) break;
    }
    expect([...seen.keys()].toSorted()).toEqual(["7 environment", "8 environment", "9 environments"]);
  });

  test("W3: a topic that ends leaves the others", async () => {
    world.kas.put("pods", pod("first"));
    const client = world.clientWith("_gitlab_session=session-maintainer");
    const nowhere = { case: "environment", value: { ...NAMES, environment: "nowhere" } } as const;
    let problem: ProblemKind | undefined;
    const stream = client.watch({ topics: [nowhere, environment].map((topic, id) => ({ id, topic })) }, { signal: world.signal });
    for await (const { topic, message } of stream) {
      if (message.case !== "environment") continue;
      const content = message.value.message;
      if (topic === 0 && content.case === "problem") problem = content.value.kind;
      if (topic === 1 && problem !== undefined && content.case === "heartbeat") break;
      if (topic === 1 && problem !== undefined && (content.case === "snapshot" || content.case === "delta")) break;
    }
    expect(problem).toBe(ProblemKind.NOT_FOUND);
  });

  test.each([
    ["too many topics", Array.from({ length: 65 }, (_, id) => ({ id, topic: environment }))],
    ["two topics of one id", [1, 1].map((id) => ({ id, topic: environment }))],
    ["a topic that names nothing", [{ id: 1 }]],
  ])("W3: %s are refused", async (_what, topics) => {
    const client = world.clientWith("_gitlab_session=session-maintainer");
    const read = async (): Promise<void> => {
      for await (const _ of client.watch({ topics }, { signal: world.signal }));
    };
    await expect(read()).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});
