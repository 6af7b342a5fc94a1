import { ConnectionState, HealthStatus, ProblemKind, type SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { inProcessCalls, provideInProcess, type InProcessCalls } from "../../in-process.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const MAINTAINER = "_gitlab_session=session-maintainer";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open();
  const metadata = { name: "web", generation: 1 };
  const spec = { replicas: 1, selector: { matchLabels: {} }, template: { metadata: {}, spec: { containers: [] } } };
  const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  world.kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec, status });
  world.start();
  provideInProcess(world.bff.inProcess);
});
afterEach(() => world.close());

function as(cookie?: string): InProcessCalls {
  const calls = inProcessCalls(new Headers(cookie === undefined ? {} : { cookie, authorization: "Bearer other" }));
  if (calls === undefined) throw new Error("no calls were provided");
  return calls;
}

async function summary(calls: InProcessCalls, signal: AbortSignal = world.signal): Promise<SummarizeEnvironmentResponse[]> {
  const messages: SummarizeEnvironmentResponse[] = [];
  for await (const message of calls.dashboard.summarizeEnvironment(NAMES, { signal })) messages.push(message);
  return messages;
}

test("whose view it is comes first, the roll-up when every kind has been read, and then the stream ends", async () => {
  const messages = await summary(as(MAINTAINER));
  expect(messages[0]).toMatchObject({ header: { environment: { name: "production", agentId: 3n }, viewer: { username: "maintainer" } } });
  expect(messages[0]?.health).toBeUndefined();
  const last = messages.at(-1);
  expect(last).toMatchObject({
    connection: { state: ConnectionState.CONNECTED },
    health: { status: HealthStatus.HEALTHY, counts: [{ status: HealthStatus.HEALTHY, count: 1 }] },
  });
  expect(last?.asOf).toEqual(last?.sentAt);
});

test("a page finds the view that the summary has opened, and the summary leaves none behind that is followed", async () => {
  await summary(as(MAINTAINER));
  await expect.poll(() => world.now()).toEqual({ viewers: 0, views: 1 });
  const tab = world.anotherTab(world.signal);
  await tab.until(() => tab.isComplete());
  expect(await world.now()).toEqual({ viewers: 1, views: 1 });
});

test("the last summary of an index with the same identity is sent at once, with its time, before every kind has been read", async () => {
  const index = new AbortController();
  for await (const { rows } of as(MAINTAINER).dashboard.watchEnvironments({ projectPath: "group/app" }, { signal: index.signal }))
    if (rows.some(({ health }) => health !== undefined)) break;
  index.abort();
  const messages = await summary(as(MAINTAINER));
  const first = messages.find(({ health }) => health !== undefined);
  expect(first).toMatchObject({ health: { status: HealthStatus.HEALTHY } });
  expect(first?.connection).toBeUndefined();
  expect(first?.asOf).toBeDefined();
  world.main.sessions.set("session-developer", "developer");
  world.kas.allowed.add("developer");
  const others = await summary(as("_gitlab_session=session-developer"));
  expect(others.filter(({ health, connection }) => health !== undefined && connection === undefined)).toEqual([]);
});

test("an unavailable agent is reported at once, without a wait for a roll-up that does not come", async () => {
  world.kas.offline = true;
  const last = (await summary(as(MAINTAINER))).at(-1);
  expect(last).toMatchObject({ connection: { state: ConnectionState.AGENT_OFFLINE } });
  expect(last?.health).toBeUndefined();
});

test("T24: an agent that rejects the viewer is the same problem as on the page, and nothing else is sent", async () => {
  world.main.sessions.set("session-outsider", "outsider");
  const last = (await summary(as("_gitlab_session=session-outsider"))).at(-1);
  expect(last?.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  expect([last?.health, last?.connection]).toEqual([undefined, undefined]);
});

test("a call of a page bears the request's cookie and address and nothing else: without a session it learns nothing", async () => {
  expect((await summary(as())).map(({ header, problem }) => [header, problem?.kind])).toEqual([[undefined, ProblemKind.UNAUTHENTICATED]]);
  await expect(as().dashboard.listProjects({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(await as().session(world.signal)).toMatchObject({ way: null });
  expect(await as(MAINTAINER).session(world.signal)).toMatchObject({ way: "cookie" });
});

test("two users at once each get their own", async () => {
  world.main.sessions.set("session-developer", "developer");
  world.kas.allowed.add("developer");
  const names = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const user = index % 2 === 0 ? "maintainer" : "developer";
      const messages = await summary(as(`_gitlab_session=session-${user}`));
      return messages.every(({ header }) => header?.viewer?.username === user);
    }),
  );
  expect(names).toEqual(names.map(() => true));
});

test("a session's calls from pages are counted with its calls from outside", async () => {
  const open = Array.from({ length: 40 }, () => world.anotherTab(world.signal));
  await Promise.all(open.map((tab) => tab.until(() => tab.messages.length > 0)));
  const refused = await summary(as(MAINTAINER)).catch((error: unknown) => ConnectError.from(error).code);
  expect(refused).toBe(Code.ResourceExhausted);
});

test("a page whose reader has left ends its call", async () => {
  world.kas.cluster = () => undefined;
  const leaving = new AbortController();
  const reading = summary(as(MAINTAINER), leaving.signal).catch((error: unknown) => ConnectError.from(error).code);
  leaving.abort();
  expect(await reading).toBe(Code.Canceled);
});
