import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ConformanceClient } from "./conformance/client.ts";
import { startKubeSandbox, type KubeSandbox } from "./index.ts";
import { listIn, textIn } from "./json-tree.ts";

const PODS = "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods";

let sandbox: KubeSandbox;
let client: ConformanceClient;

const clientOf = (of: KubeSandbox): ConformanceClient =>
  new ConformanceClient({ ...of, token: of.adminToken, ca: readFileSync(of.caFile, "utf8") });
const namesAt = async (path: string): Promise<(string | undefined)[]> =>
  listIn((await client.get(path)).body, "items").map((item) => textIn(item, "metadata", "name"));

beforeAll(async () => {
  sandbox = await startKubeSandbox({ dir: mkdtempSync(join(tmpdir(), "kube-sandbox-")), nodes: 1, podMetrics: true });
  client = clientOf(sandbox);
  for (const name of ["one", "two"]) {
    const spec = { containers: [{ name: "c", image: "registry.local/shop:1" }] };
    await client.post("/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: name } },
      spec,
    });
  }
});
afterAll(async () => {
  await client.close();
  await sandbox.stop();
});

test("pods that run are measured, by their labels too", async () => {
  await expect.poll(() => namesAt(PODS)).toEqual(["one", "two"]);
  expect(await namesAt(`${PODS}?labelSelector=app%3Dtwo`)).toEqual(["two"]);
  const { body } = await client.get(`${PODS}/one`);
  expect(body).toMatchObject({ kind: "PodMetrics", window: "15s", metadata: { name: "one", namespace: "default" } });
  const [container] = listIn(body, "containers");
  expect(textIn(container, "usage", "cpu")).toMatch(/^[1-9]\d*n$/);
  expect(textIn(container, "usage", "memory")).toMatch(/^[1-9]\d*Ki$/);
  expect((await client.get(`${PODS}/none`)).code).toBe(404);
  expect((await client.send("DELETE", `${PODS}/one`, {})).code).toBe(405);
});

test("users who may read a namespace may read its metrics, and no others", async () => {
  const as = (user: string): ConformanceClient => client.as({ "impersonate-user": user });
  expect((await as("ann").get(PODS)).code).toBe(403);
  await client.post("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "ann" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
  });
  await expect.poll(async () => (await as("ann").get(PODS)).code).toBe(200);
});

test("a plain cluster serves none", async () => {
  const plain = await startKubeSandbox({ dir: mkdtempSync(join(tmpdir(), "kube-sandbox-")), nodes: 1 });
  const other = clientOf(plain);
  expect((await other.get(PODS)).code).toBe(404);
  await other.close();
  await plain.stop();
});
