import { Code, ConnectError } from "@connectrpc/connect";
import { ManualClock } from "@binnacle/testing";
import { ProblemKind } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { bffFetch } from "../../testing/bff-fetch.ts";
import { dashboardClient, DashboardTab, logsClient, NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

let world: DashboardWorld;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open(["ann", "bob"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
  world.start(clock);
});
afterEach(() => world.close());

/** A program's client: no Origin, no cookie. */
function program(token: string, headers: Readonly<Record<string, string>> = {}) {
  return dashboardClient(world.bff, { authorization: `Bearer ${token}`, ...headers });
}

async function callRaw(headers: Readonly<Record<string, string>>): Promise<Response> {
  return bffFetch(world.bff)(`${ORIGIN}/api/rpc/dashboard.v1.Dashboard/ListProjects`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: "{}",
  });
}

async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );
}

test("T91: a program's token opens calls and streams with the rights of the token way, and no cookie is set", async () => {
  const { viewer } = await program("glpat-ann").listProjects({});
  expect(viewer?.username).toBe("ann");
  const answer = await callRaw({ authorization: "Bearer glpat-ann" });
  expect([answer.status, answer.headers.getSetCookie(), answer.headers.get("access-control-allow-origin")]).toEqual([200, [], null]);
  const tab = new DashboardTab(program("glpat-ann"), world.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  expect(world.kas.requests.some((line) => line.startsWith("ann "))).toBe(true);
});

test("T91: the token counts alone: a cookie beside it is not read, and a wrong token is not saved by a good cookie", async () => {
  const { viewer } = await program("glpat-ann", { cookie: "_gitlab_session=session-bob" }).listProjects({});
  expect(viewer?.username).toBe("ann");
  const session = await world.tokenCookie("bob");
  expect(await codeOf(program("glpat-nobody", { cookie: session, origin: ORIGIN }).listProjects({}))).toBe(Code.Unauthenticated);
});

test.each(["", "two tokens", "pat:3:glpat-ann", "x".repeat(7_169)])(
  "T91: what cannot be a token is refused without a query: %.20s",
  async (token) => {
    expect(await codeOf(program(token).listProjects({}))).toBe(Code.Unauthenticated);
    expect(world.main.requests).toEqual([]);
  },
);

test("T91, T8: a foreign page gets nothing with a token either: its origin is refused, and CORS stays closed", async () => {
  const foreigners: readonly Record<string, string>[] = [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }];
  for (const foreign of foreigners) {
    const answer = await callRaw({ authorization: "Bearer glpat-ann", ...foreign });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  }
  expect(world.main.requests).toEqual([]);
});

test("T91: a flood of wrong tokens is limited, and does not lock out tokens that were accepted before", async () => {
  await program("glpat-ann").listProjects({});
  const codes = await Promise.all(Array.from({ length: 60 }, (_, index) => codeOf(program(`wrong-${index}`).listProjects({}))));
  expect(codes.filter((code) => code === Code.Unauthenticated).length).toBeLessThanOrEqual(20);
  expect(codes.filter((code) => code === Code.ResourceExhausted).length).toBeGreaterThanOrEqual(40);
  expect(await codeOf(program("glpat-ann").listProjects({}))).toBeUndefined();
});

test("T91: one wrong token that is sent again and again is one attempt: another token of the same client still gets in", async () => {
  for (let count = 0; count < 25; count += 1) {
    // One after the other: each is a call of its own.
    // oxlint-disable-next-line no-await-in-loop
    expect(await codeOf(program("expired").listProjects({}))).toBe(Code.Unauthenticated);
  }
  expect(await codeOf(program("glpat-bob").listProjects({}))).toBeUndefined();
});

test("T91: calls that begin together with a new token are one attempt", async () => {
  const codes = await Promise.all(Array.from({ length: 25 }, () => codeOf(program("glpat-bob").listProjects({}))));
  expect(codes.every((code) => code === undefined)).toBe(true);
});

test("T91, T23: a stream ends when the token is revoked, and the token is no longer known then", async () => {
  const tab = new DashboardTab(program("glpat-ann"), world.signal);
  await clock.advanceUntil(() => tab.isComplete());
  world.main.tokens.delete("glpat-ann");
  await clock.advanceUntil(() => tab.problem !== undefined);
  expect(tab.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
  expect(await codeOf(program("glpat-ann").listProjects({}))).toBe(Code.Unauthenticated);
});

test("T91: a program opens no socket of logs, because a ticket is for the session of a browser", async () => {
  const headers = { authorization: "Bearer glpat-ann", cookie: await world.tokenCookie("ann") };
  const opened = logsClient(world.bff, headers).openLogs({ projectPath: NAMES.projectPath, environment: NAMES.environment });
  expect(await codeOf(opened)).toBe(Code.Unauthenticated);
});
