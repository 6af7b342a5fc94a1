import { create } from "@bufbuild/protobuf";
import { GetSyncResponseSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";

import { LocalConfigurationErrors } from "../agent-configuration/configuration-errors.ts";
import { LocalSyncStore } from "../gitops/sync-store.ts";
import { ProxyAuthorizer } from "../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../testing/fake-main-application.ts";
import { ScriptedRouter } from "../testing/scripted-router.ts";
import { KubernetesApiListener } from "./kubernetes-api-listener.ts";
import { KubernetesProxy } from "./kubernetes-proxy.ts";
import { SyncEndpoint } from "./sync-endpoint.ts";

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

beforeEach(async () => {
  application = await startMainApplication();
  application.answer = ({ body }) => (body.includes('"good"') ? { status: 200, body: USER } : { status: 401, body: {} });
  store = new LocalSyncStore(systemClock);
  router = new ScriptedRouter();
  const ttl = { okMs: 60_000, refusedMs: 10_000 };
  const proxy = new KubernetesProxy({
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
  });
  const endpoint = new SyncEndpoint({ proxy, store, pathPrefix: PREFIX });
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

function ask(query = "", token = "good"): Promise<Response> {
  const headers = { authorization: `Bearer pat:7:${token}` };
  return fetch(`http://${listener.address}${PREFIX}binnacle/v1/gitops/syncs${query}`, { headers });
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
    pruneHeld: `12 objects wait for consent to ${ID}`,
    namespaces: ["production"],
    inventoryId: "7-3",
    objects: 2,
    failed: 1,
  };
  const objects = [
    { kind: "Service", namespace: "production", name: "web", reason: `${CANARY}: no such kind`, source: CANARY, line: 3 },
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

test("whoever may use the agent reads its syncs and their objects, and nothing that stands in the repository alone", async () => {
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

test("nobody else is told, and the cluster is never asked", async () => {
  await report("group/app", GitopsSyncState.SYNCED);
  const refused = await ask("", "bad");
  expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining("group/app")]);
  expect((await ask("?project=group/other")).status).toBe(404);
  expect(router.calls).toEqual([]);
});

test("an agent that has reported nothing has no syncs", async () => {
  expect(await (await ask()).json()).toEqual({});
});
