import { create } from "@bufbuild/protobuf";
import { GetSyncResponseSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { LocalConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import { LocalSyncStore } from "../../gitops/sync-store.ts";
import { ProxyAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../main-application/testing/fake-main-application.ts";
import { ScriptedRouter } from "../../agent-call/testing/scripted-router.ts";
import { KubernetesApiListener } from "../listener/kubernetes-api-listener.ts";
import { CallerAccess } from "../access/caller-access.ts";
import { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";
import { READER_HEADER, ReaderGate } from "./reader-gate.ts";
import { SyncEndpoint } from "./sync-endpoint.ts";

const SECRET = Buffer.alloc(32, 7);
const PREFIX = "/-/k8s/";
const ID = "4f2e7a1b9c0d8e6f5a4b3c2d1e0f9a8b7c6d5e4f";
/** Stands in the repository alone. */
const CANARY = "deploy/canary.yaml";
const USER = {
  agent: { id: 7, config_project: { id: 3 } },
  user: { id: 1, username: "ann" },
  access_as: { user: { projects: [{ id: 3, roles: ["developer"] }], groups: [] } },
};

let application: FakeMainApplication;
let store: LocalSyncStore;
let router: ScriptedRouter;
let listener: KubernetesApiListener;
let callers: CallerAccess;
let endpoint: SyncEndpoint;

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = ({ body }) => (body.includes('"good"') ? { status: 200, body: USER } : { status: 401, body: {} });
  store = new LocalSyncStore(systemClock);
  router = new ScriptedRouter();
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const settings = {
    router,
    authorizer: new ProxyAuthorizer(application.client(), systemClock, { users: ttl, jobs: ttl }),
    errors: new LocalConfigurationErrors(systemClock, 60_000),
    clock: systemClock,
    log: createLogger("test", "silent"),
    pathPrefix: PREFIX,
    allowedOrigin: "https://app.example",
    waitMs: 1_000,
    serverName: "gitlab-kas/test",
    onAnswer: () => undefined,
  };
  callers = new CallerAccess(settings);
  const proxy = new KubernetesProxy({ ...settings, callers });
  endpoint = new SyncEndpoint({ callers, store, clock: systemClock, pathPrefix: PREFIX, readers: new ReaderGate(SECRET, systemClock) });
  listener = await KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    proxy,
    clock: systemClock,
    graceMs: 10,
    upgrade: () => false,
    intercept: (request, response) => endpoint.intercept(request, response),
  });
});

afterEach(async () => {
  await listener.close();
  await application.close();
});

function ask(query = "", token = "good", reader?: string): Promise<Response> {
  const headers = { authorization: `Bearer pat:7:${token}`, ...(reader !== undefined && { [READER_HEADER]: reader }) };
  return fetch(`http://${listener.address}${PREFIX}binnacle/v1/gitops/syncs${query}`, { headers });
}

/** Waits for another list than that. */
function waitFor(etag: string, { seconds = 30, token = "good", signal = AbortSignal.timeout(60_000) } = {}): Promise<Response> {
  const headers = { authorization: `Bearer pat:7:${token}`, "if-none-match": etag };
  return fetch(`http://${listener.address}${PREFIX}binnacle/v1/gitops/syncs?wait=${seconds}`, { headers, signal });
}

/** What the dashboard says of a reader. */
function word(
  claims: object = {},
  over: { readonly secret?: Buffer; readonly audience?: string; readonly ageS?: number } = {},
): Promise<string> {
  const { secret = SECRET, audience = "binnacle-kas/manifests", ageS = 0 } = over;
  const issuedAt = Math.floor(systemClock.now() / 1_000) - ageS;
  return new SignJWT({ agent_id: "7", project: "group/app", ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("binnacle-web")
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3_600)
    .sign(secret);
}

async function report(project: string, state: GitopsSyncState): Promise<void> {
  const sync = {
    project,
    projectId: 3n,
    commitId: ID,
    state,
    reason: `${CANARY}:3: mapping values are not allowed here`,
    subject: "canary of the message",
    author: "canary of the author",
    globs: [CANARY],
    branch: CANARY,
    pruneHeld: `12 objects wait for consent to ${ID}`,
    namespaces: ["production"],
    inventoryId: "7-3",
    objects: 2,
    failed: 1,
    waitingCommits: 2,
    waitingAuthors: ["canary of an author who waits"],
    newestCommitId: ID,
    objectsCommitId: ID,
  };
  const objects = [
    { kind: "Service", namespace: "production", name: "web", reason: `${CANARY}: no such kind`, source: CANARY, line: 3, fieldLine: 4 },
    { kind: "Deployment", namespace: "production", name: "web", reason: "exceeded quota", source: CANARY, line: 9 },
    {
      kind: "Job",
      namespace: "production",
      name: "move",
      reason: `waits for what stands in ${CANARY}`,
      source: "deploy/job.yaml",
      line: 1,
    },
  ];
  await store.put(7n, create(GetSyncResponseSchema, { sync, objects }));
}

test("T34: a user of the agent reads its syncs and their objects, and nothing that is only in the repository", async () => {
  await report("group/app", GitopsSyncState.INVALID);
  const list = await ask();
  expect([list.status, list.headers.get("content-type"), list.headers.get("cache-control")]).toEqual([200, "application/json", "no-store"]);
  const listed = await list.text();
  const shown = { project: "group/app", commitId: "4f2e7a1b", state: "GITOPS_SYNC_STATE_INVALID", namespaces: ["production"] };
  expect(JSON.parse(listed)).toMatchObject({ syncs: [shown] });
  const one = await (await ask("?project=group%2Fapp")).text();
  const objects = [{ name: "web" }, { name: "web", reason: "exceeded quota" }, { name: "move" }];
  expect(JSON.parse(one)).toMatchObject({ sync: shown, objects });
  for (const text of [listed, one]) {
    expect(text).toContain("12 objects wait for consent to 4f2e7a1b");
    expect(text).not.toMatch(new RegExp(`canary|${ID}`));
  }
});

test("a reader of the manifests, as asserted by the dashboard, receives files, lines and their errors, of that project only", async () => {
  await report("group/app", GitopsSyncState.INVALID);
  await report("group/other", GitopsSyncState.INVALID);
  const answer = await (await ask("?project=group%2Fapp", "good", await word())).json();
  expect(answer).toMatchObject({
    sync: { commitId: ID, reason: `${CANARY}:3: mapping values are not allowed here`, globs: [CANARY] },
    objects: [{ source: CANARY, line: 3 }, { source: CANARY, line: 9 }, { source: "deploy/job.yaml" }],
  });
  expect((await ask("?project=group%2Fother", "good", await word())).status).toBe(401);
  const listed = await (await ask("", "good", await word())).text();
  expect(listed).not.toMatch(new RegExp(`canary|${ID}`));
});

test("T49: the number of commits that wait is for all who see the sync, their authors and lines for readers of the project", async () => {
  await report("group/app", GitopsSyncState.FAILED);
  const counted = { waitingCommits: 2, newestCommitId: "4f2e7a1b", objectsCommitId: "4f2e7a1b" };
  expect(await (await ask()).json()).toMatchObject({ syncs: [counted] });
  const shown = await (await ask("?project=group%2Fapp")).text();
  expect(JSON.parse(shown)).toMatchObject({ sync: counted });
  expect(shown).not.toMatch(/waitingAuthors|fieldLine|who waits/);
  expect(await (await ask("?project=group%2Fapp", "good", await word())).json()).toMatchObject({
    sync: { waitingCommits: 2, waitingAuthors: ["canary of an author who waits"], newestCommitId: ID, objectsCommitId: ID },
    objects: [{ fieldLine: 4 }, {}, {}],
  });
});

test.each<readonly [string, () => Promise<string>]>([
  ["of another agent", () => word({ agent_id: "8" })],
  ["signed with another key", () => word({}, { secret: Buffer.alloc(32, 9) })],
  ["for another audience", () => word({}, { audience: "gitlab-kas" })],
  ["that is a minute old", () => word({}, { ageS: 70 })],
  ["that is none", async () => "x.y.z"],
  ["without a signature", async () => `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`],
])("a word %s is refused", async (_, make) => {
  await report("group/app", GitopsSyncState.INVALID);
  const answer = await ask("?project=group%2Fapp", "good", await make());
  expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining("canary")]);
});

test("the word of the dashboard is no credential", async () => {
  await report("group/app", GitopsSyncState.INVALID);
  expect((await ask("?project=group%2Fapp", "bad", await word())).status).toBe(401);
});

test("no other caller receives them, and the cluster is never called", async () => {
  await report("group/app", GitopsSyncState.SYNCED);
  const refused = await ask("", "bad");
  expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining("group/app")]);
  expect((await ask("?project=group/other")).status).toBe(404);
  expect(router.calls).toEqual([]);
});

test("an agent that has reported nothing has no syncs", async () => {
  expect(await (await ask()).json()).toEqual({});
});

describe("B2: the list is complete only when the agent's projects are named and each has a report", () => {
  test.each<{ what: string; named?: readonly string[]; reported: readonly string[]; complete: boolean; listed: readonly string[] }>([
    { what: "nothing is named, as after a restart of kas", reported: [], complete: false, listed: [] },
    { what: "nothing is named, of an agent that does not report all", reported: ["a/b"], complete: false, listed: ["a/b"] },
    { what: "an agent without projects", named: [], reported: [], complete: true, listed: [] },
    { what: "one of two has reported", named: ["a/b", "c/d"], reported: ["a/b"], complete: false, listed: ["a/b"] },
    { what: "both have", named: ["a/b", "c/d"], reported: ["a/b", "c/d"], complete: true, listed: ["a/b", "c/d"] },
    { what: "one left the configuration", named: ["c/d"], reported: ["a/b", "c/d"], complete: true, listed: ["c/d"] },
  ])("$what", async ({ named, reported, complete, listed }) => {
    if (named !== undefined) store.nameProjects(7n, named);
    for (const project of reported) await report(project, GitopsSyncState.SYNCED);
    const list = (await (await ask()).json()) as { complete?: boolean; syncs?: { project: string }[] };
    expect([list.complete ?? false, (list.syncs ?? []).map(({ project }) => project)]).toEqual([complete, listed]);
  });
});

test("B2: a request waits until the list changes, and receives 304 when it has not changed in time", async () => {
  const first = await ask();
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const same = await waitFor(etag, { seconds: 0.05 });
  expect([same.status, same.headers.get("etag"), await same.text()]).toEqual([304, etag, ""]);
  const subscribed = vi.spyOn(store, "onChange");
  const waiting = waitFor(etag);
  await until(() => subscribed.mock.calls.length > 0);
  await report("group/app", GitopsSyncState.SYNCED);
  const answer = await waiting;
  expect([answer.status, ((await answer.json()) as { syncs: unknown[] }).syncs.length]).toEqual([200, 1]);
  expect((await waitFor(etag)).status).toBe(200);
});

test("T47: only so many requests wait at a time, and a wait is checked as any request", async () => {
  const etag = (await ask()).headers.get("etag") ?? "";
  expect((await waitFor(etag, { token: "bad" })).status).toBe(401);
  const many = new SyncEndpoint({ callers, store, clock: systemClock, pathPrefix: PREFIX, maxWaiting: 1 });
  endpoint = many;
  const leave = new AbortController();
  const subscribed = vi.spyOn(store, "onChange");
  const first = waitFor(etag, { signal: leave.signal }).catch(() => undefined);
  await until(() => subscribed.mock.calls.length > 0);
  expect((await waitFor(etag)).status).toBe(304);
  leave.abort();
  await first;
});
