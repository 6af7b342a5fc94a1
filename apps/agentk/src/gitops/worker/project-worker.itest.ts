import { connect, type ClientHttp2Session } from "node:http2";

import { PAUSED } from "@binnacle/kube";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeKas } from "../../testing/fake-kas.ts";
import type { ApiAnswer, ApiCall, ClusterApi } from "../../cluster-access/cluster-api.ts";
import { DEFAULT_OPTIONS } from "../testing/sync-made.ts";
import { ProjectWorker } from "./project-worker.ts";
import { InventoryLocations, TooLargeCommits } from "./project-records.ts";

const CLAIM = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "disk" } };

let kas: FakeKas;
let session: ClientHttp2Session;
let clock: ManualClock;
/** What the inventory's ConfigMap says. */
let annotations: Record<string, string>;
/** Objects that were applied. */
let applied: number;
let leave: AbortController;
let running: Promise<void>;

/** An API server that takes everything, in which a volume is never bound. */
const api: ClusterApi = {
  async call({ method, target }: ApiCall): Promise<ApiAnswer> {
    if (target === "/api/v1") return { statusCode: 200, value: { kind: "APIResourceList", resources: [CLAIMS] } };
    if (target.includes("/configmaps?")) return { statusCode: 200, value: { items: [] } };
    if (target.includes("/configmaps")) return { statusCode: 200, value: inventory() };
    if (method === "PATCH") applied += 1;
    return { statusCode: 200, value: { ...CLAIM, metadata: OWNED, status: { phase: "Pending" } } };
  },
};
const CLAIMS = { name: "persistentvolumeclaims", kind: "PersistentVolumeClaim", namespaced: true, verbs: ["get", "patch"] };
const OWNED = { name: "disk", namespace: "web", resourceVersion: "1", annotations: { "config.k8s.io/owning-inventory": "5-7" } };
const inventory = (): object => ({
  metadata: { name: "inventory-5-7", resourceVersion: "1", labels: { "cli-utils.sigs.k8s.io/inventory-id": "5-7" }, annotations },
  data: { web_disk__PersistentVolumeClaim: "" },
});

beforeEach(async () => {
  kas = await FakeKas.listen();
  session = connect(`http://127.0.0.1:${kas.port}`);
  clock = new ManualClock();
  annotations = {};
  applied = 0;
  leave = new AbortController();
  const worker = new ProjectWorker({
    link: { waitForSession: async () => session, onSession: () => () => {} },
    metadata: { get: () => new Map(), refused: () => {} },
    clock,
    log: createLogger("test", "silent"),
    api,
    agentId: 5n,
    tooLarge: new TooLargeCommits(),
    inventories: new InventoryLocations(),
    project: { ...DEFAULT_OPTIONS, id: "group/app", globs: ["**"], defaultNamespace: "web", reconcileTimeoutMs: 3_600_000 },
  });
  running = worker.run(leave.signal);
  const stream = await kas.objects();
  stream.send({ case: "header", value: { commitId: "c1", projectId: 7n } });
  stream.send({ case: "object", value: { source: "a.yaml", data: Buffer.from(JSON.stringify(CLAIM)) } });
  stream.send({ case: "trailer", value: {} });
  stream.end();
});

afterEach(async () => {
  leave.abort();
  await running;
  session.destroy();
  await kas.close();
  clock.assertIdle();
});

test("while a sync waits for health, a request for another one and a pause are noticed within ten seconds", async () => {
  await until(() => applied === 1);
  await clock.elapse(30_000);
  expect(applied).toBe(1);
  annotations = { "gitops.binnacle/sync-requested": "now" };
  await clock.elapse(10_000);
  await until(() => applied === 2);
  annotations = { [PAUSED]: "true" };
  await clock.elapse(10_000);
  annotations = { ...annotations, "gitops.binnacle/sync-requested": "again" };
  await clock.elapse(10_000);
  expect(applied).toBe(2);
  annotations = {};
  await clock.elapse(10_000);
  await until(() => applied === 3);
});
