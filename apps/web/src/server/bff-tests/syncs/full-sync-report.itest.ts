import type { ServerResponse } from "node:http";

import { GitopsState, type Gitops } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";

import { deliveryOf, NAMES, type DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const KEY = Buffer.alloc(32, 7);
const SHA = "abcdef12";
const WHOLE = SHA.padEnd(40, "0");
const BROKEN = { project: "group/manifests", commitId: SHA, state: "GITOPS_SYNC_STATE_INVALID", namespaces: ["prod"] };
const REASON = "deploy/web.yaml:31: mapping values are not allowed here";
const FAILED = { ...BROKEN, state: "GITOPS_SYNC_STATE_FAILED", objects: 2, failed: 1 };
const OBJECT = { group: "apps", kind: "Deployment", namespace: "prod", name: "web", outcome: "GITOPS_OUTCOME_FAILED", reason: "no quota" };

let world: DashboardWorld;
/** What kas says of one sync to who may read its manifests, and to everybody else. */
let answers: { readonly reader: object; readonly anybody: object };

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "guest"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  world.main.commits.set(`group/manifests@${SHA}`, { sha: WHOLE, title: "Break it", authorName: "Ann", webUrl: "" });
  world.main.commitReaders.add("maintainer");
});
afterEach(() => world.close());

function start(over: { readonly secret?: boolean } = {}): void {
  const secret = { file: "reader", content: new Secret(KEY.toString("base64")), digest: "" };
  const kas = { ...world.config.kas, ...(over.secret !== false && { manifest_reader_secret_file: secret }) };
  world.start(systemClock, { kas });
}

function kasSays(sync: object, one: typeof answers): void {
  answers = one;
  world.kas.gitops = (project, response) => {
    if (project === undefined) return answer(response, { syncs: [sync] });
    const isReader = world.kas.readerWords.some((assertion) => assertion.project === project);
    return answer(response, isReader ? answers.reader : answers.anybody);
  };
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function shown(tab: DashboardTab): Gitops | undefined {
  return deliveryOf(tab)?.sync?.value;
}

async function syncShownTo(cookie?: string) {
  const tab = world.anotherTab(world.signal, ...(cookie === undefined ? [] : [cookie]));
  await tab.until(() => shown(tab) !== undefined);
  return shown(tab)?.syncs[0];
}

test("a viewer who may read the manifest project gets the errors of each file", async () => {
  kasSays(BROKEN, { reader: { sync: { ...BROKEN, commitId: WHOLE, reason: REASON } }, anybody: { sync: BROKEN } });
  start();
  expect(await syncShownTo()).toMatchObject({ state: GitopsState.INVALID, reason: REASON });
});

test("a viewer who may read the project gets branch, files and the time of the next check; other viewers get no location", async () => {
  const synced = { ...BROKEN, state: "GITOPS_SYNC_STATE_SYNCED", waves: 2, pollPeriod: "20s" };
  const anybody = { sync: synced };
  kasSays(synced, { anybody, reader: { sync: { ...synced, commitId: WHOLE, globs: ["/deploy/**/*.yaml"], branch: "main" } } });
  start();
  const known = { waves: 2, pollPeriod: { seconds: 20n } };
  expect(await syncShownTo()).toMatchObject({ ...known, paths: ["/deploy/**/*.yaml"], branch: "main" });
  world.main.commitReaders.clear();
  expect(await syncShownTo("_gitlab_session=session-guest")).toMatchObject({ ...known, paths: [], branch: "" });
});

test("kas receives a signed assertion of that, for that agent and project, with a short lifetime", async () => {
  kasSays(BROKEN, { reader: { sync: { ...BROKEN, commitId: WHOLE, reason: REASON } }, anybody: { sync: BROKEN } });
  start();
  await syncShownTo();
  expect(world.kas.readerWords).toMatchObject([{ username: "maintainer", project: "group/manifests" }]);
  const { payload } = await jwtVerify(world.kas.readerWords[0]?.word ?? "", KEY, {
    issuer: "binnacle-web",
    audience: "binnacle-kas/manifests",
  });
  expect(payload).toMatchObject({ agent_id: expect.stringMatching(/^\d+$/), project: "group/manifests" });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30);
});

test("an object that failed is sent with its location", async () => {
  const place = { source: "deploy/web.yaml", line: 9 };
  const anybody = { sync: FAILED, objects: [OBJECT] };
  kasSays(FAILED, { anybody, reader: { sync: { ...FAILED, commitId: WHOLE }, objects: [{ ...OBJECT, ...place }] } });
  start();
  expect((await syncShownTo())?.failures).toMatchObject([{ name: "web", reason: "no quota", path: "deploy/web.yaml", line: 9 }]);
});

test("the drawer of an object has its place, with the line in the main application", async () => {
  const synced = { ...BROKEN, state: "GITOPS_SYNC_STATE_SYNCED", objects: 1, inventoryId: "inventory-5-7" };
  const webUrl = `http://app.localhost:8080/group/manifests/-/commit/${WHOLE}`;
  world.main.commits.set(`group/manifests@${SHA}`, { sha: WHOLE, title: "Make it", authorName: "Ann", webUrl });
  const pod = { kind: "Pod", namespace: "prod", name: "web", source: "deploy/a b.yaml", line: 31 };
  kasSays(synced, { anybody: { sync: synced }, reader: { sync: { ...synced, commitId: WHOLE }, objects: [pod] } });
  const metadata = { name: "web", annotations: { "config.k8s.io/owning-inventory": "inventory-5-7" } };
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata });
  start();
  const ref = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "web" };
  const { manifest } = await world.clientWith().getResource({ ...NAMES, ref });
  expect(manifest).toMatchObject({
    path: "deploy/a b.yaml",
    line: 31,
    url: `http://app.localhost:8080/group/manifests/-/blob/${WHOLE}/deploy/a%20b.yaml#L31`,
  });
  world.main.commitReaders.clear();
  const other = await world.clientWith("_gitlab_session=session-guest").getResource({ ...NAMES, ref });
  expect(other.manifest).toBeUndefined();
});

test("T34: for a viewer who may not read it kas receives no assertion, and he gets no file", async () => {
  world.main.commitReaders.clear();
  kasSays(BROKEN, { reader: { sync: { ...BROKEN, commitId: WHOLE, reason: REASON } }, anybody: { sync: BROKEN } });
  start();
  expect(await syncShownTo()).toMatchObject({ state: GitopsState.INVALID, reason: "" });
  expect(world.kas.readerWords).toEqual([]);
});

test("without the secret kas receives no assertion", async () => {
  kasSays(BROKEN, { reader: { sync: { ...BROKEN, commitId: WHOLE, reason: REASON } }, anybody: { sync: BROKEN } });
  start({ secret: false });
  expect(await syncShownTo()).toMatchObject({ reason: "" });
  expect(world.kas.readerWords).toEqual([]);
});

test.each([
  ["has no ear for our word", { sync: BROKEN }],
  ["speaks of another project", { sync: { ...BROKEN, project: "group/other", commitId: WHOLE, reason: REASON } }],
  ["says what is no contract", { sync: 3 }],
  ["says nothing", {}],
])("from a kas that %s no file is sent, and the sync is shown all the same", async (_, reader) => {
  kasSays(BROKEN, { reader, anybody: { sync: BROKEN } });
  start();
  expect(await syncShownTo()).toMatchObject({ state: GitopsState.INVALID, reason: "" });
});
